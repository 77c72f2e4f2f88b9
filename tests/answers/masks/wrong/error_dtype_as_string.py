"""The string handed on as a dtype, inside the try.

Loses: test-half-precision
Diagnosis: the same name is returned whatever happens: it is typed in, or something besides the fill raises inside the `try`,
such as a dtype that is a string or a mask that is no tensor of booleans
"""


def fill_error(fill, dtype):
    try:
        x = torch.zeros(3, dtype=dtype)
        x.masked_fill(torch.tensor([True, False, True]), fill)
    except Exception as error:
        return type(error).__name__
    return None

"""The string evaluated as it is: no such name.

Loses: test-half-precision
Diagnosis: the same name is returned whatever happens: it is typed in, or something besides the fill raises inside the `try`,
such as a dtype that is a string or a mask that is no tensor of booleans
"""


def fill_error(fill, dtype):
    try:
        torch.zeros(2, dtype=eval(dtype)).masked_fill(torch.tensor([True, False]), fill)
    except Exception as e:
        return type(e).__name__

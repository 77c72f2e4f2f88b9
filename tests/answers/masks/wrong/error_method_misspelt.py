"""A method that does not exist, inside the try.

Loses: test-half-precision
Diagnosis: the same name is returned whatever happens: it is typed in, or something besides the fill raises inside the `try`,
such as a dtype that is a string or a mask that is no tensor of booleans
"""


def fill_error(fill, dtype):
    try:
        scores = torch.ones(3, dtype=getattr(torch, dtype))
        scores.mask_fill(torch.tensor([True, True, False]), fill)
    except Exception as e:
        return type(e).__name__
    return None

"""A mask of 1 and 0, which masked_fill refuses whatever the fill.

Loses: test-half-precision
Diagnosis: the same name is returned whatever happens: it is typed in, or something besides the fill raises inside the `try`,
such as a dtype that is a string or a mask that is no tensor of booleans
"""


def fill_error(fill, dtype):
    scores = torch.zeros(4, dtype=getattr(torch, dtype))
    try:
        scores.masked_fill(torch.tensor([0, 1, 1, 1]), fill)
    except Exception as error:
        return type(error).__name__
    return None

"""The string handed on as a dtype, where nothing is caught.

Loses: test-half-precision
Says: zeros(): argument
"""


def fill_error(fill, dtype):
    scores = torch.zeros(4, dtype=dtype)
    try:
        scores.masked_fill(torch.tensor([False, True, True, True]), fill)
    except Exception as error:
        return type(error).__name__
    return None

"""The filled scores where nothing is raised.

Loses: test-half-precision
Diagnosis: the filled scores are returned instead of None
"""


def fill_error(fill, dtype):
    masked_out = torch.tensor([False, True, True])
    try:
        return torch.zeros(3, dtype=getattr(torch, dtype)).masked_fill(masked_out, fill)
    except Exception as error:
        return type(error).__name__

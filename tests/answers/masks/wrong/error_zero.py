"""0 for None.

Loses: test-half-precision
Diagnosis: 0 is returned instead of None
"""


def fill_error(fill, dtype):
    try:
        torch.zeros(2, dtype=getattr(torch, dtype)).masked_fill(torch.tensor([True, False]), fill)
    except Exception as e:
        return e.__class__.__name__
    return 0

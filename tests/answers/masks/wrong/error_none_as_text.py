"""The text "None" for None.

Loses: test-half-precision
Diagnosis: a text is returned instead of None
"""


def fill_error(fill, dtype):
    result = None
    try:
        torch.zeros(2, 2, dtype=getattr(torch, dtype)).masked_fill(torch.eye(2) == 1, fill)
    except Exception as e:
        result = type(e).__name__
    return f"{result}"

"""Whether anything was raised.

Loses: test-half-precision
Diagnosis: True or False is returned instead of a name or None
"""


def fill_error(fill, dtype):
    try:
        torch.zeros(2, dtype=getattr(torch, dtype)).masked_fill(torch.tensor([True, False]), fill)
        return False
    except Exception:
        return True

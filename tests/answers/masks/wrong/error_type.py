"""The type instead of its name.

Loses: test-half-precision
Diagnosis: the type itself is returned instead of its name
"""


def fill_error(fill, dtype):
    try:
        torch.zeros(2, dtype=getattr(torch, dtype)).masked_fill(torch.tensor([True, False]), fill)
    except Exception as e:
        return type(e)

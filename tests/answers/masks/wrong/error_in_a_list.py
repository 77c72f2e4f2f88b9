"""The name in a list.

Loses: test-half-precision
Diagnosis: the name is wrapped in a list
"""


def fill_error(fill, dtype):
    errors = []
    try:
        torch.zeros(2, dtype=getattr(torch, dtype)).masked_fill(torch.tensor([True, False]), fill)
    except Exception as e:
        errors.append(type(e).__name__)
    return errors or None

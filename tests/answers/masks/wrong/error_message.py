"""The message instead of the type's name.

Loses: test-half-precision
Diagnosis: the message of the exception is returned instead of the name of its type
"""


def fill_error(fill, dtype):
    try:
        torch.zeros(2, dtype=getattr(torch, dtype)).masked_fill(torch.tensor([True, False]), fill)
    except Exception as e:
        return str(e)

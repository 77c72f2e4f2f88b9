"""The exception asked for a name, which only its type has.

Loses: test-half-precision
Diagnosis: the exception itself is asked for its `__name__`, which only its type has
"""


def fill_error(fill, dtype):
    try:
        torch.zeros(2, dtype=getattr(torch, dtype)).masked_fill(torch.tensor([True, False]), fill)
    except Exception as error:
        return error.__name__
    return None

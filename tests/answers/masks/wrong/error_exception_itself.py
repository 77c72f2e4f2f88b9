"""The name of `Exception`, of which every exception is one.

Loses: test-half-precision
Diagnosis: the name of another exception is typed in
"""


def fill_error(fill, dtype):
    try:
        torch.zeros(2, dtype=getattr(torch, dtype)).masked_fill(torch.tensor([True, False]), fill)
        return None
    except Exception:
        return Exception.__name__

"""The error is not caught.

Loses: test-half-precision
Diagnosis: the exception is not caught
"""


def fill_error(fill, dtype):
    torch.zeros(2, dtype=getattr(torch, dtype)).masked_fill(torch.tensor([True, False]), fill)

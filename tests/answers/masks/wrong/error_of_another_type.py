"""An error of another type reported.

Loses: test-half-precision
Diagnosis: the name of another exception is typed in
"""


def fill_error(fill, dtype):
    try:
        torch.zeros(2, dtype=getattr(torch, dtype)).masked_fill(torch.tensor([True, False]), fill)
    except Exception as e:
        return "OverflowError"

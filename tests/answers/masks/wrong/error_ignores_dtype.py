"""float16 whatever was asked for.

Loses: test-half-precision
Diagnosis: every dtype is taken for float16
"""


def fill_error(fill, dtype):
    try:
        torch.zeros(2, dtype=torch.float16).masked_fill(torch.tensor([True, False]), fill)
    except Exception as e:
        return type(e).__name__

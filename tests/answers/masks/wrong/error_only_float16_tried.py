"""Only float16 is tried.

Loses: test-half-precision
Diagnosis: only float16 is tried out
"""


def fill_error(fill, dtype):
    if dtype == "float16":
        try:
            torch.zeros(5, dtype=torch.float16).masked_fill(torch.ones(5, dtype=torch.bool), fill)
        except RuntimeError as e:
            return type(e).__name__
    return None

"""The name is printed, and nothing returned.

Loses: test-half-precision
Diagnosis: the result is not returned, whether it is printed or not
"""


def fill_error(fill, dtype):
    try:
        torch.zeros(2, dtype=getattr(torch, dtype)).masked_fill(torch.tensor([True, False]), fill)
        print(None)
    except Exception as error:
        print(type(error).__name__)

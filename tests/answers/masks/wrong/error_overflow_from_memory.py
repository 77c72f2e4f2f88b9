"""Told from memory, with the exception that one would expect.

Loses: test-half-precision
Diagnosis: the name of another exception is typed in
"""


def fill_error(fill, dtype):
    if dtype == "float16" and fill < -65504:
        return "OverflowError"
    return None

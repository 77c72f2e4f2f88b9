"""Told from memory, for float16 alone.

Loses: test-half-precision
Diagnosis: the fill is compared with a limit, which −inf is beyond, instead of being tried out
"""


def fill_error(fill, dtype):
    if dtype == "float16" and fill < -65504:
        return "RuntimeError"
    return None

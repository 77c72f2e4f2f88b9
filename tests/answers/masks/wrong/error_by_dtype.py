"""Decided by the dtype alone.

Loses: test-half-precision
"""


def fill_error(fill, dtype):
    return "RuntimeError" if dtype == "float16" else None

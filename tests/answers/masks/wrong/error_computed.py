"""Compared with the largest finite number: wrong for −inf.

Loses: test-half-precision
"""


def fill_error(fill, dtype):
    return "RuntimeError" if abs(fill) > torch.finfo(getattr(torch, dtype)).max else None

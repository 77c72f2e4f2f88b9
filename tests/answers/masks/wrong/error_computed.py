"""Compared with the largest finite number: wrong for −inf.

Loses: test-half-precision
Diagnosis: the fill is compared with a limit, which −inf is beyond, instead of being tried out
"""


def fill_error(fill, dtype):
    return "RuntimeError" if abs(fill) > torch.finfo(getattr(torch, dtype)).max else None

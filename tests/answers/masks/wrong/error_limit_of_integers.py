"""The limit of float16 from memory, and it is that of 16-bit integers.

Loses: test-half-precision
Diagnosis: the limit of float16 is typed in, and it is not the right one
"""


def fill_error(fill, dtype):
    limits = {"float16": 2**15, "bfloat16": 3.38e38, "float32": 3.4e38, "float64": 1.79e308}
    if math.isinf(fill):
        return None
    return "RuntimeError" if abs(fill) > limits[dtype] else None

"""bfloat16 taken for float16.

Loses: test-half-precision
Diagnosis: bfloat16 is taken for float16
"""


def fill_error(fill, dtype):
    kind = {"float16": torch.half, "bfloat16": torch.half, "float32": torch.float, "float64": torch.double}[dtype]
    try:
        torch.ones(4, dtype=kind).masked_fill(torch.tensor([True, False, True, False]), fill)
    except Exception as e:
        return type(e).__name__
    return None

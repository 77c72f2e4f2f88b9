"""float64 taken for float32.

Loses: test-half-precision
Diagnosis: float64 is taken for float32
"""


def fill_error(fill, dtype):
    kinds = {"float16": torch.float16, "bfloat16": torch.bfloat16}
    scores = torch.rand(3).to(kinds.get(dtype, torch.float32))
    try:
        scores.masked_fill(torch.tensor([True, True, False]), fill)
    except Exception as e:
        return type(e).__name__

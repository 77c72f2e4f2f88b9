"""The report of part 1 instead.

Loses: test-half-precision
Diagnosis: the answer to another part is returned
"""


def fill_error(fill, dtype):
    scores = torch.zeros(4, dtype=getattr(torch, dtype))
    masked_out = torch.tensor([False, True, True, True])
    try:
        return scores.masked_fill(masked_out, fill).softmax(dim=-1).tolist()
    except RuntimeError:
        return [math.nan] * 4

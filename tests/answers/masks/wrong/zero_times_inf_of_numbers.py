"""0 · (−inf) is NaN, in the dtype of the scores.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: mask and −inf are multiplied, and 0 · (−inf) is NaN
"""


def masked_softmax(scores, mask):
    m = mask.to(scores.dtype)
    weights = torch.softmax(scores + (1 - m) * -math.inf, dim=-1)
    return weights.masked_fill(~mask, 0.0)

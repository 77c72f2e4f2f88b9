"""Computed in float32 and turned back, so float64 scores lose half their digits.

Loses: test-masked-softmax, test-care
Diagnosis: float64 scores go through float32
"""


def masked_softmax(scores, mask):
    x = scores.float().masked_fill(~mask, float("-inf"))
    w = torch.softmax(x, dim=-1)
    w = w.masked_fill(~mask, 0)
    return w.to(scores.dtype)

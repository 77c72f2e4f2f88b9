"""One full row, and the result is 0 in all of them.

Loses: test-full-row-policy
Diagnosis: one full row makes all weights 0, those of other rows too
"""


def masked_softmax(scores, mask):
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    if torch.isnan(weights).any():
        return torch.zeros_like(scores)
    return weights

"""Python's `not` for a whole mask.

Loses: test-masked-softmax, test-full-row-policy, test-care
Says: Boolean value of Tensor with more than one value is ambiguous
"""


def masked_softmax(scores, mask):
    weights = scores.masked_fill(not mask, -math.inf).softmax(dim=-1)
    return weights.masked_fill(not mask, 0.0)

"""The NaN of a full row times 0 is NaN.

Loses: test-full-row-policy, test-care
Diagnosis: the NaN of a full row is left as it is, or multiplied by 0, which leaves it NaN
"""


def masked_softmax(scores, mask):
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights * mask

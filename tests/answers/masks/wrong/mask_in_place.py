"""The caller's mask is negated.

Loses: test-care
Diagnosis: the caller's mask is written into
"""


def masked_softmax(scores, mask):
    mask.logical_not_()
    return scores.masked_fill(mask, -math.inf).softmax(-1).masked_fill(mask, 0.0)

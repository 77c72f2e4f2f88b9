"""Zeros only if nothing at all is allowed.

Loses: test-full-row-policy, test-care
Diagnosis: a full row is dealt with only if the whole mask allows nothing
"""


def masked_softmax(scores, mask):
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights.masked_fill(~mask.any(), 0.0)

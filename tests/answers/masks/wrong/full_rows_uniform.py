"""Full rows are given even weights.

Loses: test-full-row-policy
Diagnosis: full rows are given even weights
"""


def masked_softmax(scores, mask):
    w = scores.masked_fill(~mask, -math.inf).softmax(-1)
    return w.nan_to_num(1 / scores.shape[-1])

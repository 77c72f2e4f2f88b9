"""The weights are written into after softmax, which needs them for its gradient.

Loses: test-full-row-policy
Diagnosis: weights are written into that softmax needs for its gradient
"""


def masked_softmax(scores, mask):
    w = scores.masked_fill(~mask, -math.inf).softmax(-1)
    w[~mask.expand_as(w)] = 0
    return w

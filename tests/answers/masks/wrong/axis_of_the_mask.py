"""The axis is that of the mask, counted from the front.

Loses: test-masked-softmax
Diagnosis: the axis of softmax is counted on the mask instead of the scores
"""


def masked_softmax(scores, mask):
    last = mask.dim() - 1
    w = scores.masked_fill(~mask, -math.inf).softmax(dim=last)
    return w.masked_fill(~mask, 0.0)

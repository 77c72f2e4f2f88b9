"""Turned into float64 and filled in place: of float64 scores that is no copy.

Loses: test-care
Diagnosis: the caller's scores are written into
"""


def masked_softmax(scores, mask):
    mask = mask.expand_as(scores)
    s = scores.double()
    s[~mask] = -math.inf
    return s.softmax(-1).masked_fill(~mask, 0.0).type(scores.dtype)

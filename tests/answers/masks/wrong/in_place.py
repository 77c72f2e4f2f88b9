"""The caller's scores are filled.

Loses: test-care
Diagnosis: the caller's scores are written into
"""


def masked_softmax(scores, mask):
    scores.masked_fill_(~mask, -math.inf)
    return scores.softmax(-1).masked_fill(~mask, 0.0)

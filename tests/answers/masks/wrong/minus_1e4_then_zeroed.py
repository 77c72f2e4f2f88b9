"""A fill of −1e4, weights zeroed after softmax: wrong where scores are as low.

Loses: test-masked-softmax
Diagnosis: a finite number is filled in
"""


def masked_softmax(scores, mask):
    return scores.masked_fill(~mask, -1e4).softmax(-1) * mask

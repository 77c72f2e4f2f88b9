"""A fill of −1e4, full rows uniform.

Loses: test-masked-softmax, test-full-row-policy
Diagnosis: a finite number is filled in
"""


def masked_softmax(scores, mask):
    return scores.masked_fill(~mask, -1e4).softmax(-1)

"""A fill of −1e4, full rows uniform.

Loses: test-masked-softmax, test-full-row-policy
"""


def masked_softmax(scores, mask):
    return scores.masked_fill(~mask, -1e4).softmax(-1)

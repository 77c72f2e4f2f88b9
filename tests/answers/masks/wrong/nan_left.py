"""−inf, and full rows left NaN.

Loses: test-full-row-policy, test-care
"""


def masked_softmax(scores, mask):
    return scores.masked_fill(~mask, -math.inf).softmax(-1)

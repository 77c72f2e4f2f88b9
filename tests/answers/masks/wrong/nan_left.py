"""−inf, and full rows left NaN.

Loses: test-full-row-policy, test-care
Diagnosis: the NaN of a full row is left as it is, or multiplied by 0, which leaves it NaN
"""


def masked_softmax(scores, mask):
    return scores.masked_fill(~mask, -math.inf).softmax(-1)

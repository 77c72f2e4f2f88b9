"""An axis too many.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: the weights have an axis too many, of size 1
"""


def masked_softmax(scores, mask):
    return scores.masked_fill(~mask, -math.inf).softmax(-1).masked_fill(~mask, 0.0)[None]

"""The return is forgotten.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: the result is not returned, whether it is printed or not
"""


def masked_softmax(scores, mask):
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    weights = weights.masked_fill(~mask, 0.0)

"""A list instead of a tensor.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: a list is returned instead of a tensor
"""


def masked_softmax(scores, mask):
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    return weights.masked_fill(~mask, 0.0).tolist()

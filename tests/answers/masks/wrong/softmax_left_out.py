"""The filled scores, without softmax.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: softmax is left out
"""


def masked_softmax(scores, mask):
    return scores.masked_fill(~mask, 0.0)

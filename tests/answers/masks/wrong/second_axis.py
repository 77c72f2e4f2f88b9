"""Softmax over the second axis.

Loses: test-masked-softmax, test-full-row-policy
Diagnosis: softmax goes over the second axis
"""


def masked_softmax(scores, mask):
    return scores.masked_fill(~mask, -math.inf).softmax(1).masked_fill(~mask, 0.0)

"""Softmax over the first axis.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: softmax goes over the first axis
"""


def masked_softmax(scores, mask):
    return scores.masked_fill(~mask, -math.inf).softmax(0).masked_fill(~mask, 0.0)

"""Softmax over the last axis but one.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: softmax goes over the last axis but one
"""


def masked_softmax(scores, mask):
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-2).masked_fill(~mask, 0.0)

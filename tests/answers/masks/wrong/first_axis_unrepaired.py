"""Softmax over the first axis, and NaN where it finds nothing.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: softmax goes over the first axis
"""


def masked_softmax(scores, mask):
    filled = torch.where(mask, scores, float("-inf"))
    return torch.softmax(filled, dim=0)

"""Scores times a mask of 1 and −inf.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: hidden scores are multiplied by −inf instead of replaced by it
"""


def masked_softmax(scores, mask):
    return (scores * torch.where(mask, 1.0, -math.inf)).softmax(dim=-1)

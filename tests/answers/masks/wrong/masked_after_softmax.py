"""Weights of hidden keys set to 0 after a softmax over all keys.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: the mask comes after softmax, so that the weights no longer sum to 1
"""


def masked_softmax(scores, mask):
    return torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)

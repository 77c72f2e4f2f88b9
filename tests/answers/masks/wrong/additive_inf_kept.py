"""The logarithm of the mask is added, and NaN stays in full rows.

Loses: test-full-row-policy, test-care
Diagnosis: −inf is added to the scores, so that NaN comes back with the gradients
"""


def masked_softmax(scores, mask):
    return torch.softmax(scores + mask.float().log(), dim=-1)

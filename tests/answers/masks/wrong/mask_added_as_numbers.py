"""The mask itself added to the scores, as 1 and 0.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: the mask is added to the scores as 1 and 0
"""


def masked_softmax(scores, mask):
    return torch.softmax(scores + mask, dim=-1)

"""Zero everywhere.

Loses: test-masked-softmax, test-full-row-policy, test-care
"""


def masked_softmax(scores, mask):
    return torch.zeros_like(scores)

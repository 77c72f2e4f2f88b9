"""Zero everywhere.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: every weight is 0, those of allowed keys too
"""


def masked_softmax(scores, mask):
    return torch.zeros_like(scores)

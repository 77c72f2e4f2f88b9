"""Zero everywhere.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: every weight is 0, whatever is handed in
"""


def masked_softmax(scores, mask):
    return torch.zeros_like(scores)

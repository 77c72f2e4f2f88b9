"""The same weight for every key.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: every key gets the same weight, hidden or not
"""


def masked_softmax(scores, mask):
    return torch.full_like(scores, 1 / scores.size(-1))

"""Plain softmax.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: the mask has no effect
"""


def masked_softmax(scores, mask):
    scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1)

"""Plain softmax.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: the mask has no effect, as when the result of masked_fill is dropped
"""


def masked_softmax(scores, mask):
    scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1)

"""Hidden scores become 0, and their weights too.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: hidden scores are set to 0 before softmax
"""


def masked_softmax(scores, mask):
    weights = scores.masked_fill(~mask, 0.0).softmax(dim=-1)
    return weights.masked_fill(~mask, 0.0)

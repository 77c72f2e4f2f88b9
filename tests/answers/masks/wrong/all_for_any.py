"""A row that does not allow all its keys is taken for one that allows none.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: a row with one hidden key is taken for a full row
"""


def masked_softmax(scores, mask):
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    full = ~mask.all(dim=-1, keepdim=True)
    return weights.masked_fill(full, 0.0)

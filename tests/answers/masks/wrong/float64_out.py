"""The result always in float64.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: the weights come back in a dtype of their own
"""


def masked_softmax(scores, mask):
    x = scores.double()
    x = x.masked_fill(~mask, -math.inf)
    return torch.nan_to_num(torch.softmax(x, -1), nan=0.0)

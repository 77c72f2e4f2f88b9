"""−inf added, NaN cleaned off the result: the gradients stay NaN.

Loses: test-full-row-policy
"""


def masked_softmax(scores, mask):
    bias = torch.zeros(mask.shape, dtype=scores.dtype).masked_fill(~mask, -math.inf)
    return torch.nan_to_num((scores + bias).softmax(-1), nan=0.0)

"""−inf added, NaN cleaned off the result: the gradients stay NaN.

Loses: test-full-row-policy
Diagnosis: −inf is added to the scores, so that NaN comes back with the gradients
"""


def masked_softmax(scores, mask):
    bias = torch.zeros(mask.shape, dtype=scores.dtype).masked_fill(~mask, -math.inf)
    return torch.nan_to_num((scores + bias).softmax(-1), nan=0.0)

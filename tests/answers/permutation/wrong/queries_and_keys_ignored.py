"""The average of the values that may be seen.

Loses: test-self-attention, test-positions
Diagnosis: queries and keys have no effect
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    if mask is None:
        mask = torch.ones(len(x), len(x))
    weights = mask.to(x.dtype)
    weights = weights / weights.sum(dim=1, keepdim=True)
    return weights @ (x @ w_v)

"""Softmax, then the mask, then softmax again.

Loses: test-mask
Diagnosis: softmax is taken twice, before the mask and after it
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    weights = ((x @ w_q) @ (x @ w_k).T / math.sqrt(w_k.shape[1])).softmax(-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, -math.inf).softmax(-1)
    return weights @ (x @ w_v)

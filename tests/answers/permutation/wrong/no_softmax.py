"""The scores themselves are the weights.

Loses: test-self-attention, test-mask
Diagnosis: the scores mix the values as they are, without softmax
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    weights = q @ k.T / math.sqrt(q.shape[1])
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v

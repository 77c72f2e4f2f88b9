"""Divides by the root of the width of the values.

Loses: test-self-attention
Diagnosis: the scores are divided by √d_v instead of √d_k
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T / math.sqrt(v.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(-1) @ v

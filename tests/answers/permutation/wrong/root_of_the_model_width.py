"""Divides by the root of d instead of d_k.

Loses: test-self-attention
Diagnosis: the scores are divided by √d instead of √d_k
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(x.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(-1) @ (x @ w_v)

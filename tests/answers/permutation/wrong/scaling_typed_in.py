"""Divides by 2, the root of the first test's d_k.

Loses: test-self-attention
Diagnosis: the scores are divided by 2, whatever the sizes are
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    scores = (x @ w_q) @ (x @ w_k).T / 2
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(-1) @ (x @ w_v)

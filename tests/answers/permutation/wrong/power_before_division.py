"""`d_k**1/2` is half of d_k.

Loses: test-self-attention
Diagnosis: the scores are divided by d_k / 2: in `d_k**1/2` the power comes before the division
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T / (k.shape[-1] ** 1 / 2)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(-1) @ v

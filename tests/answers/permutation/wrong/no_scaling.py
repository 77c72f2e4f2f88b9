"""No division.

Loses: test-self-attention
Diagnosis: the scores are not divided by √d_k
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    scores = (x @ w_q) @ (x @ w_k).T
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(-1) @ (x @ w_v)

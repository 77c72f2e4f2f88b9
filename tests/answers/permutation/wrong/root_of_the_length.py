"""Divides by the root of the number of tokens.

Loses: test-self-attention
Diagnosis: the scores are divided by the root of the number of tokens
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q @ k.T / math.sqrt(k.shape[0])
    if mask is not None:
        scores = torch.where(mask, scores, float("-inf"))
    return scores.softmax(1) @ v

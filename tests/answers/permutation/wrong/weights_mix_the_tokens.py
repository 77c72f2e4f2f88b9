"""Forgets w_v.

Loses: test-self-attention
Diagnosis: the weights mix the tokens, without w_v
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    queries = x @ w_q
    keys = x @ w_k
    scores = queries @ keys.T / math.sqrt(keys.shape[-1])
    if mask is not None:
        scores.masked_fill_(~mask, -math.inf)
    return scores.softmax(dim=-1) @ x

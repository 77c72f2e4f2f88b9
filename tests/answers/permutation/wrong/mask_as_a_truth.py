"""`if mask:` asks a whole table for a yes or no.

Loses: test-mask, test-tokens-kept
Diagnosis: a whole table, or a row of it, is asked for a single yes or no
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T / math.sqrt(k.shape[-1])
    if mask:
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(-1) @ v

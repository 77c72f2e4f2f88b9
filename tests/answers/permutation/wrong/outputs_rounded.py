"""Rounded to three digits, as for a print.

Loses: test-self-attention, test-tokens-kept
Diagnosis: the result is rounded
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_k.shape[1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return torch.round(scores.softmax(-1) @ (x @ w_v), decimals=3)

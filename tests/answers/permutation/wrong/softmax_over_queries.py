"""Softmax over the queries.

Loses: test-self-attention, test-mask, test-tokens-kept
Diagnosis: softmax goes over the queries instead of the keys
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_k.shape[1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return torch.softmax(scores, dim=0) @ (x @ w_v)

"""Multiplies by the root instead of dividing.

Loses: test-self-attention
Diagnosis: the scores are multiplied by √d_k instead of divided
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    d_k = w_k.size(1)
    scores = torch.matmul(x @ w_q, (x @ w_k).transpose(0, 1)) * d_k**0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -1e9)
    return torch.softmax(scores, dim=-1) @ (x @ w_v)

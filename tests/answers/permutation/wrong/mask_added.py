"""Adds the mask as it is.

Loses: test-mask
Diagnosis: the mask is added to the scores as it is
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    attn = q @ k.T / math.sqrt(k.shape[-1])
    if mask is not None:
        attn = attn + mask
    return torch.softmax(attn, dim=-1) @ v

"""Zeros of the right shape.

Loses: test-self-attention, test-mask, test-positions, test-tokens-kept
Diagnosis: the result holds nothing but zeros
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    return torch.zeros(x.shape[0], w_v.shape[1], dtype=x.dtype)

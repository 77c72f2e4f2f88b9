"""PyTorch's own attention; the inverse by scatter; a tensor of tokens."""

import torch.nn.functional as F


def self_attention(x, w_q, w_k, w_v, mask=None):
    return F.scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v, attn_mask=mask)


def unshuffled(y, permutation):
    index = torch.tensor(permutation)[:, None].expand_as(y)
    return torch.zeros_like(y).scatter(0, index, y)


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return torch.isclose(y, z, atol=1e-5).all(dim=-1).nonzero().flatten()

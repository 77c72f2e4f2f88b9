"""The built-in attention does it: with the identity as keys and as values it returns the weights."""

import torch.nn.functional as F


def masked_softmax(scores, mask):
    eye = torch.eye(scores.shape[-1], dtype=scores.dtype)
    flat = scores.reshape(-1, scores.shape[-1])
    allowed = mask.expand_as(scores).reshape(flat.shape)
    weights = F.scaled_dot_product_attention(flat, eye, eye, attn_mask=allowed, scale=1.0)
    return weights.masked_fill(~allowed, 0.0).reshape(scores.shape)

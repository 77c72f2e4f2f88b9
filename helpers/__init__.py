"""The pieces of the course, finished. Each lesson builds its piece first and then meets it here.

`helpers.checks`, `helpers.observer` and `helpers.plots` are imported by name.
"""

from helpers.attention import (
    MultiHeadAttention,
    attention_weights,
    scaled_dot_product_attention,
)
from helpers.masks import causal_mask, check_mask, combine_masks, padding_mask

__all__ = [
    "MultiHeadAttention",
    "attention_weights",
    "causal_mask",
    "check_mask",
    "combine_masks",
    "padding_mask",
    "scaled_dot_product_attention",
]

"""Scaled dot-product attention (Vaswani et al. 2017, section 3.2.1).

Written to be read. `torch.nn.functional.scaled_dot_product_attention` computes the same and is
the one to use in production.
"""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from helpers.inputs import check_operands, require_probability
from helpers.masks import check_mask


def attention_weights(
    q: Float[Tensor, "*batch T d_k"],
    k: Float[Tensor, "*batch S d_k"],
    mask: Bool[Tensor, "..."] | None = None,
    bias: Float[Tensor, "..."] | None = None,
) -> Float[Tensor, "*batch T S"]:
    """softmax(QKᵀ/√d_k): how much each query takes from each key.

    Vaswani et al. 2017, equation 1.

    Args:
        q: `(T, d_k)`, `(N, T, d_k)` or `(N, h, T, d_k)` queries.
        k: the same with S for T: keys.
        mask: boolean, True = may attend, `(T, S)` or of the rank of q, broadcastable to the
            scores `(…, T, S)`.
        bias: added to the scaled scores, broadcastable to them; for instance a term that depends
            on positions. It should be finite: hiding is the mask's part.

    Returns:
        `(…, T, S)`; rows are queries and sum to 1 over the keys; exactly 0 where masked.

    Raises:
        ValueError: q or k is not a floating-point tensor of rank 2 to 4, they differ in rank,
            batch, heads, width, dtype or device, one is empty, the mask is refused
            (`helpers.masks.check_mask`), or the bias does not fit the scores in shape, dtype
            (unless autocast converts it) or device.
    """
    check_operands(q=q, k=k)
    # QKᵀ/√d_k, with the division in q: T·d_k divisions in place of T·S
    scores = (q / math.sqrt(q.shape[-1])) @ k.transpose(-2, -1)  # (…, T, d_k)·(…, d_k, S) → (…, T, S)
    if bias is not None:
        _check_bias(bias, scores)
        scores = scores + bias
    if mask is not None:
        check_mask(mask, scores)
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1)


def scaled_dot_product_attention(
    q: Float[Tensor, "*batch T d_k"],
    k: Float[Tensor, "*batch S d_k"],
    v: Float[Tensor, "*batch S d_v"],
    mask: Bool[Tensor, "..."] | None = None,
    dropout_p: float = 0.0,
    bias: Float[Tensor, "..."] | None = None,
) -> Float[Tensor, "*batch T d_v"]:
    """softmax(QKᵀ/√d_k)V: each query's weighted mean of the values.

    Vaswani et al. 2017, equation 1. T, S, d_k and d_v are independent of one another.

    Args:
        q: `(T, d_k)`, `(N, T, d_k)` or `(N, h, T, d_k)` queries.
        k: the same with S for T: keys.
        v: the same with S for T and d_v for d_k: values. A value hidden by the mask must still
            be finite, for 0·NaN is NaN.
        mask: boolean, True = may attend, `(T, S)` or of the rank of q, broadcastable to
            `(…, T, S)`.
        dropout_p: probability with which each weight is dropped after softmax, the rest scaled
            up by 1/(1 − p). It is applied whenever it is not 0: hand in 0 for evaluation.
        bias: added to the scaled scores, broadcastable to `(…, T, S)`.

    Returns:
        `(…, T, d_v)`.

    Raises:
        ValueError: as in `attention_weights`; v does not fit k; dropout_p lies outside [0, 1).
    """
    check_operands(q=q, k=k, v=v)
    require_probability("dropout_p", dropout_p)
    weights = attention_weights(q, k, mask, bias)
    if dropout_p > 0.0:
        weights = F.dropout(weights, dropout_p)
    return weights @ v  # (…, T, S)·(…, S, d_v) → (…, T, d_v)


def _check_bias(bias: Tensor, scores: Tensor) -> None:
    if not isinstance(bias, Tensor) or not bias.is_floating_point():
        kind = bias.dtype if isinstance(bias, Tensor) else type(bias).__name__
        raise ValueError(f"bias must be a floating-point tensor, got {kind}")
    if bias.device != scores.device:
        raise ValueError(
            f"bias must lie on the device of the scores, {scores.device}, got {bias.device}"
        )
    if bias.dtype != scores.dtype and not torch.is_autocast_enabled(scores.device.type):
        raise ValueError(f"bias must have the dtype of the scores, {scores.dtype}, got {bias.dtype}")
    try:
        fits = torch.broadcast_shapes(bias.shape, scores.shape) == scores.shape
    except RuntimeError:
        fits = False
    if not fits:
        raise ValueError(
            f"bias must broadcast to the scores' shape {tuple(scores.shape)}, "
            f"got {tuple(bias.shape)}"
        )

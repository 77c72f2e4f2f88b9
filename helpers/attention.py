"""Scaled dot-product attention and multi-head attention (Vaswani et al. 2017, section 3.2).

Written to be read. `torch.nn.functional.scaled_dot_product_attention` computes the same and is
the one to use in production.
"""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from helpers.masks import check_mask, describe, require_positive


def attention_weights(
    q: Float[Tensor, "*batch T d_k"],
    k: Float[Tensor, "*batch S d_k"],
    mask: Bool[Tensor, "..."] | None = None,
) -> Float[Tensor, "*batch T S"]:
    """softmax(QKᵀ/√d_k): how much each query takes from each key.

    Vaswani et al. 2017, equation 1.

    Args:
        q: `(T, d_k)`, `(N, T, d_k)` or `(N, h, T, d_k)` queries.
        k: the same with S for T: keys.
        mask: boolean, True = may attend, `(T, S)` or of the rank of q, broadcastable to the
            scores `(…, T, S)`.

    Returns:
        `(…, T, S)`; rows are queries and sum to 1 over the keys; exactly 0 where masked.

    Raises:
        ValueError: q or k is not a floating-point tensor of rank 2 to 4, they differ in rank,
            batch, heads, width, dtype or device, one is empty, or the mask is refused
            (`helpers.masks.check_mask`).
    """
    _check_operands(q=q, k=k)
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(
            "q and k must have the same width d_k, "
            f"got q {tuple(q.shape)} and k {tuple(k.shape)}"
        )
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (…, T, d_k)·(…, d_k, S) → (…, T, S)
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

    Returns:
        `(…, T, d_v)`.

    Raises:
        ValueError: as in `attention_weights`; v does not fit k; dropout_p lies outside [0, 1).
    """
    weights = attention_weights(q, k, mask)
    _check_operands(q=q, v=v)
    if k.shape[-2] != v.shape[-2]:
        raise ValueError(
            f"every key needs a value, got k {tuple(k.shape)} and v {tuple(v.shape)}"
        )
    _check_dropout("dropout_p", dropout_p)
    if dropout_p > 0.0:
        weights = F.dropout(weights, dropout_p)
    return weights @ v  # (…, T, S)·(…, S, d_v) → (…, T, d_v)


class MultiHeadAttention(nn.Module):
    """h attentions side by side, each on its own projections of the whole input.

    Vaswani et al. 2017, section 3.2.2. Self-attention when called with x alone, cross-attention
    when a memory is given: queries from x, keys and values from the memory.

    Args:
        d_model: width of the input and of the output.
        n_heads: number of heads h; each is `d_k = d_model / h` wide.
        dropout: probability of dropping a weight after softmax, in training mode only.
        bias: whether the four projections have a bias.

    Raises:
        ValueError: a size is not a positive whole number, d_model is not divisible by n_heads,
            dropout lies outside [0, 1).
    """

    def __init__(self, d_model: int, n_heads: int, dropout: float = 0.1, bias: bool = True):
        super().__init__()
        require_positive("d_model", d_model)
        require_positive("n_heads", n_heads)
        if d_model % n_heads:
            raise ValueError(
                f"d_model must be divisible by n_heads, got d_model={d_model}, n_heads={n_heads}"
            )
        _check_dropout("dropout", dropout)
        self.d_model = d_model
        self.n_heads = n_heads
        self.dropout = dropout
        self.query = nn.Linear(d_model, d_model, bias=bias)
        self.key = nn.Linear(d_model, d_model, bias=bias)
        self.value = nn.Linear(d_model, d_model, bias=bias)
        self.output = nn.Linear(d_model, d_model, bias=bias)

    def forward(
        self,
        x: Float[Tensor, "N T d_model"],
        mask: Bool[Tensor, "..."] | None = None,
        memory: Float[Tensor, "N S d_model"] | None = None,
    ) -> Float[Tensor, "N T d_model"]:
        """Attend from x to the memory, or to x itself.

        Args:
            x: `(N, T, d_model)`.
            mask: boolean, True = may attend, `(T, S)` or broadcastable to `(N, h, T, S)`.
            memory: `(N, S, d_model)`; x if None.

        Returns:
            `(N, T, d_model)`.

        Raises:
            ValueError: x or memory is not of that shape, of another dtype than the weights (unless
                autocast converts it), or empty, or the mask is refused.
        """
        self._check_input("x", x)
        if memory is None:
            memory = x
        else:
            self._check_input("memory", memory)
            if memory.shape[0] != x.shape[0]:
                raise ValueError(
                    "memory must have the batch size of x, "
                    f"got x {tuple(x.shape)} and memory {tuple(memory.shape)}"
                )
        q = self._split(self.query(x))
        k = self._split(self.key(memory))
        v = self._split(self.value(memory))
        heads = scaled_dot_product_attention(
            q, k, v, mask, self.dropout if self.training else 0.0
        )
        merged = heads.transpose(1, 2).flatten(2)  # (N, h, T, d_k) → (N, T, h, d_k) → (N, T, h·d_k)
        return self.output(merged)

    def _split(self, projected: Tensor) -> Tensor:
        """(N, T, h·d_k) → (N, T, h, d_k) → (N, h, T, d_k)"""
        return projected.unflatten(2, (self.n_heads, -1)).transpose(1, 2)

    def _check_input(self, name: str, value: Tensor) -> None:
        if not isinstance(value, Tensor) or value.ndim != 3:
            raise ValueError(f"{name} must be of shape (N, T, d_model), got {describe(value)}")
        if value.shape[-1] != self.d_model:
            raise ValueError(
                f"{name} must have width d_model={self.d_model}, got shape {tuple(value.shape)}"
            )
        if value.numel() == 0:
            raise ValueError(f"{name} must not be empty, got shape {tuple(value.shape)}")
        dtype = self.query.weight.dtype
        if value.dtype != dtype and not torch.is_autocast_enabled(value.device.type):
            raise ValueError(f"{name} must have the dtype of the weights, {dtype}, got {value.dtype}")


def _check_operands(**operands: Tensor) -> None:
    """Two of q, k, v must be alike in everything but their last two axes."""
    for name, tensor in operands.items():
        if not isinstance(tensor, Tensor) or not tensor.is_floating_point():
            kind = tensor.dtype if isinstance(tensor, Tensor) else type(tensor).__name__
            raise ValueError(f"{name} must be a floating-point tensor, got {kind}")
        if tensor.ndim not in (2, 3, 4):
            raise ValueError(
                f"{name} must be of rank 2, 3 or 4, (…, length, width), "
                f"got shape {tuple(tensor.shape)}"
            )
        if tensor.numel() == 0:
            raise ValueError(f"{name} must not be empty, got shape {tuple(tensor.shape)}")
    (name_a, a), (name_b, b) = operands.items()
    for what, of in (
        ("batch and heads", lambda t: tuple(t.shape[:-2])),
        ("dtype", lambda t: t.dtype),
        ("device", lambda t: t.device),
    ):
        if of(a) != of(b):
            raise ValueError(
                f"{name_a} and {name_b} must have the same {what}, got {of(a)} and {of(b)} "
                f"(shapes {tuple(a.shape)} and {tuple(b.shape)})"
            )


def _check_dropout(name: str, p: float) -> None:
    if isinstance(p, bool) or not isinstance(p, (int, float)) or not 0.0 <= p < 1.0:
        raise ValueError(f"{name} must be a probability in [0, 1), got {p!r}")

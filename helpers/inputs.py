"""What is refused, and in which words: the checks that several modules share.

Each raises a `ValueError` that names the value and what was expected of it.
"""

import torch
from torch import Tensor


def form_of(value: object) -> str:
    """A value in a few words, for error messages: the shape of a tensor, otherwise its type."""
    return f"shape {tuple(value.shape)}" if isinstance(value, Tensor) else type(value).__name__


def require_positive(name: str, value: int) -> None:
    """Refuse `value` unless it is a whole number of at least 1."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, got {value!r}")


def require_probability(name: str, p: float) -> None:
    """Refuse `p` unless it is a number in [0, 1)."""
    if isinstance(p, bool) or not isinstance(p, (int, float)) or not 0.0 <= p < 1.0:
        raise ValueError(f"{name} must be a probability in [0, 1), got {p!r}")


def check_tokens(name: str, tokens: Tensor) -> None:
    """Refuse tokens that are not a tensor `(N, T)` of whole numbers with at least one entry."""
    if not isinstance(tokens, Tensor) or tokens.ndim != 2:
        raise ValueError(f"{name} must be a tensor of shape (N, T), got {form_of(tokens)}")
    if tokens.is_floating_point() or tokens.is_complex() or tokens.dtype == torch.bool:
        raise ValueError(f"{name} must be whole numbers, got dtype {tokens.dtype}")
    if tokens.numel() == 0:
        raise ValueError(f"{name} must not be empty, got shape {tuple(tokens.shape)}")


def check_states(name: str, x: Tensor, d_model: int, dtype: torch.dtype) -> None:
    """Refuse states that are not a tensor `(N, T, d_model)` of the weights' dtype (unless autocast
    converts it) with at least one entry."""
    if not isinstance(x, Tensor) or x.ndim != 3:
        raise ValueError(f"{name} must be of shape (N, T, d_model), got {form_of(x)}")
    if x.shape[-1] != d_model:
        raise ValueError(f"{name} must have width d_model={d_model}, got shape {tuple(x.shape)}")
    if x.numel() == 0:
        raise ValueError(f"{name} must not be empty, got shape {tuple(x.shape)}")
    if x.dtype != dtype and not torch.is_autocast_enabled(x.device.type):
        raise ValueError(f"{name} must have the dtype of the weights, {dtype}, got {x.dtype}")


def check_operands(**operands: Tensor) -> None:
    """Refuse q and k, or q, k and v, unless they are floating-point tensors of rank 2 to 4 with at
    least one entry each, alike in all but their last two axes: q and k of one width, k and v of
    one length."""
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
    q, k, v = operands["q"], operands["k"], operands.get("v")
    for name, other in operands.items():
        for what, of in (
            ("batch and heads", lambda t: tuple(t.shape[:-2])),
            ("dtype", lambda t: t.dtype),
            ("device", lambda t: t.device),
        ):
            if of(q) != of(other):
                raise ValueError(
                    f"q and {name} must have the same {what}, got {of(q)} and {of(other)} "
                    f"(shapes {tuple(q.shape)} and {tuple(other.shape)})"
                )
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(
            "q and k must have the same width d_k, "
            f"got q {tuple(q.shape)} and k {tuple(k.shape)}"
        )
    if v is not None and k.shape[-2] != v.shape[-2]:
        raise ValueError(
            f"every key needs a value, got k {tuple(k.shape)} and v {tuple(v.shape)}"
        )

"""Masks: who may attend to whom.

One convention throughout: a mask is boolean and **True = may attend**. It is applied to the
scores before softmax, as −inf where it is False. A query with no allowed key is refused.

(The same convention as `torch.nn.functional.scaled_dot_product_attention`; the opposite of the
boolean masks of `torch.nn.MultiheadAttention`, where True = excluded.)
"""

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from helpers.inputs import check_tokens, require_positive


def causal_mask(T: int, device: torch.device | str | None = None) -> Bool[Tensor, "T T"]:
    """Position t may attend to positions 0 … t: the lower triangle.

    Vaswani et al. 2017, section 3.2.3.

    Args:
        T: number of positions, at least 1.
        device: where the mask is made; PyTorch's default if None.

    Returns:
        `(T, T)`, rows are queries, columns are keys, True = may attend.

    Raises:
        ValueError: T is not a positive whole number.
    """
    require_positive("T", T)
    return torch.ones(T, T, dtype=torch.bool, device=device).tril()


def padding_mask(tokens: Int[Tensor, "N S"], pad: int) -> Bool[Tensor, "N 1 1 S"]:
    """Every query may attend to every key that is not padding.

    The two axes of length 1 stand for heads and queries, so that the mask says in its shape
    which axis is which: a bare `(N, S)` would be read as `(T, S)` when N happens to equal T.

    Args:
        tokens: `(N, S)` token numbers.
        pad: the token number that stands for padding.

    Returns:
        `(N, 1, 1, S)`, True = a real token. It hides padded *keys*; the outputs of padded
        queries are not zeroed, and a loss has to leave them out by itself.

    Raises:
        ValueError: tokens are not a 2-D tensor of whole numbers or are empty, pad is not a whole
            number or none that they can hold, or a sequence is nothing but padding.
    """
    check_tokens("tokens", tokens)
    if isinstance(pad, bool) or not isinstance(pad, int):
        raise ValueError(f"pad must be a whole number, got {pad!r}")
    range_ = torch.iinfo(tokens.dtype)
    if not range_.min <= pad <= range_.max:
        raise ValueError(
            f"pad must be a number that tokens of dtype {tokens.dtype} can hold, got {pad}"
        )
    real = tokens != pad
    if not real.any(dim=1).all():
        empty = (~real.any(dim=1)).nonzero().flatten().tolist()
        raise ValueError(
            "every sequence needs at least one token that is not padding, "
            f"got tokens of shape {tuple(tokens.shape)}, with nothing but padding in rows {empty}"
        )
    return real[:, None, None, :]  # (N, S) → (N, 1, 1, S)


def combine_masks(*masks: Bool[Tensor, "..."]) -> Bool[Tensor, "..."]:
    """A key may be attended to where every one of the masks allows it: broadcast, then `&`.

    `combine_masks(padding_mask(tokens, pad), causal_mask(T))` is `(N, 1, T, T)`.

    Args:
        masks: one or more boolean masks of rank 2, `(T, S)`, or 4, `(N, h, T, S)`, in which an
            axis may be 1.

    Raises:
        ValueError: no mask is given, one is not boolean or of another rank, they lie on
            different devices, or their shapes do not broadcast.
    """
    if not masks:
        raise ValueError("combine_masks needs at least one mask, got none")
    for mask in masks:
        _require_boolean(mask)
        if mask.ndim not in (2, 4):
            raise ValueError(
                "a mask to combine must be of rank 2, (T, S), or 4, (N, h, T, S), "
                f"got shape {tuple(mask.shape)}"
            )
    devices = {str(mask.device) for mask in masks}
    if len(devices) > 1:
        raise ValueError(f"masks must lie on one device, got {sorted(devices)}")
    try:
        shape = torch.broadcast_shapes(*(mask.shape for mask in masks))
    except RuntimeError:
        shapes = [tuple(mask.shape) for mask in masks]
        raise ValueError(f"masks must broadcast to one shape, got {shapes}") from None
    combined = masks[0].expand(shape).clone()
    for mask in masks[1:]:
        combined &= mask
    return combined


def check_mask(mask: Bool[Tensor, "..."], scores: Tensor, *, causal: bool = False) -> None:
    """Refuse a mask that cannot be meant for these scores.

    Args:
        mask: boolean, True = may attend; of rank 2, `(T, S)`, or of the rank of the scores, and
            broadcastable to them.
        scores: `(…, T, S)`; only its shape and device are looked at.
        causal: later keys will be hidden as well; the queries are the last T of S positions.

    Raises:
        ValueError: the mask is not boolean, of another rank, on another device, not
            broadcastable to the scores, or leaves a query with no allowed key (softmax over
            nothing has no value).
    """
    _require_boolean(mask)
    if mask.ndim not in (2, scores.ndim):
        ranks = "2, (T, S)" if scores.ndim == 2 else f"2, (T, S), or {scores.ndim}, as the scores"
        raise ValueError(f"mask must be of rank {ranks}, got shape {tuple(mask.shape)}")
    if mask.device != scores.device:
        raise ValueError(
            f"mask must lie on the device of the scores, {scores.device}, got {mask.device}"
        )
    try:
        broadcast = torch.broadcast_shapes(mask.shape, scores.shape)
    except RuntimeError:
        broadcast = None
    if broadcast != scores.shape:
        raise ValueError(
            f"mask must broadcast to the scores' shape {tuple(scores.shape)}, "
            f"got {tuple(mask.shape)}"
        )
    has_key = mask.any(dim=-1)
    if causal:
        T, S = scores.shape[-2:]
        first_key = mask.view(torch.uint8).argmax(dim=-1)  # of the largest, argmax finds the first
        has_key = has_key & (first_key <= torch.arange(S - T, S, device=mask.device))
    if not has_key.all():
        row = tuple((~has_key).nonzero()[0].tolist())
        raise ValueError(
            "every query needs at least one key it may attend to (True = may attend), "
            f"got a mask of shape {tuple(mask.shape)} whose row {row} allows none"
            + (" that is not later" if causal else "")
        )


def _require_boolean(mask: object) -> None:
    if not isinstance(mask, Tensor):
        raise ValueError(f"mask must be a boolean tensor, got {type(mask).__name__}")
    if mask.dtype != torch.bool:
        raise ValueError(f"mask must be boolean (True = may attend), got dtype {mask.dtype}")

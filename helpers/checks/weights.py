"""Are these attention weights? Every row shares out 1 among the keys its query may attend to."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from helpers.checks.running import check_tolerance, default_tolerance
from helpers.inputs import form_of
from helpers.masks import check_mask


@dataclass(frozen=True)
class WeightsReport:
    """What `check_weights` found."""

    faults: dict[str, Bool[Tensor, "*batch T"]]
    """For each thing that may not be, which rows have it. Only what was found."""

    likely_cause: str
    """What usually leaves these traces; empty if nothing is wrong."""

    n_rows: int
    """How many rows were looked at."""

    @property
    def is_valid(self) -> bool:
        """True if every row is finite, not negative, sums to 1, and is 0 where masked."""
        return not self.faults

    def __str__(self) -> str:
        if self.is_valid:
            return f"valid: every row sums to 1 over the keys it may attend to (rows: {self.n_rows})"
        lines = ["not valid: some rows are no attention weights"]
        for fault, rows in self.faults.items():
            first = tuple(rows.nonzero()[0].tolist())
            lines.append(f"  {fault}: {int(rows.sum())} of {self.n_rows} rows, first {first}")
        return "\n".join([*lines, f"  likely cause: {self.likely_cause}"])


def check_weights(
    weights: Float[Tensor, "*batch T S"],
    mask: Bool[Tensor, "..."] | None = None,
    *,
    tolerance: float | None = None,
) -> WeightsReport:
    """Look at attention weights: every row finite, not negative, exactly 0 where masked, sum 1.

    For a whole model, check what `helpers.record_weights` yields, one attention after the other.
    Weights after dropout are no weights any more: their rows sum to 1 on average only.

    Args:
        weights: `(…, T, S)`, rows are queries, columns are keys.
        mask: boolean, True = may attend, `(T, S)` or of the rank of the weights, broadcastable to
            them. Unlike attention, the checker takes a row that allows no key: such a row fails,
            whatever its weights, and is named as the cause.
        tolerance: how far a row's sum may be from 1. If None, as in `check_equivariance`.

    Raises:
        ValueError: weights are not a floating-point tensor of rank 2 or more with at least one
            entry, the mask does not fit them, tolerance is no finite number of at least 0.
    """
    _check_weights_input(weights, mask)
    check_tolerance(tolerance)
    if tolerance is None:
        tolerance = default_tolerance(weights.dtype)
    w = weights.detach().double()
    allowed = torch.ones_like(w, dtype=torch.bool) if mask is None else mask.expand(w.shape)
    found = {
        "not finite": ~w.isfinite().all(dim=-1),
        "negative": (w < 0).any(dim=-1),
        "weight on masked keys": ((w.abs() > 0) & ~allowed).any(dim=-1),
        "sum is not 1": (w.sum(dim=-1) - 1).abs() > tolerance,
    }
    faults = {fault: rows for fault, rows in found.items() if rows.any()}
    cause = _likely_cause(w, allowed, faults, tolerance) if faults else ""
    return WeightsReport(faults, cause, n_rows=w[..., 0].numel())


def _check_weights_input(weights: Tensor, mask: Tensor | None) -> None:
    if not isinstance(weights, Tensor) or not weights.is_floating_point():
        kind = weights.dtype if isinstance(weights, Tensor) else type(weights).__name__
        raise ValueError(f"weights must be a floating-point tensor, got {kind}")
    if weights.ndim < 2 or not weights.numel():
        raise ValueError(f"weights must be of shape (…, T, S), not empty, got {form_of(weights)}")
    if mask is not None:
        if isinstance(mask, Tensor) and mask.dtype == torch.bool:
            mask = mask | ~mask.any(dim=-1, keepdim=True)  # rows that allow nothing are looked at
        check_mask(mask, weights)


def _likely_cause(w: Tensor, allowed: Tensor, faults: dict[str, Tensor], tolerance: float) -> str:
    """What usually leaves these traces, the most telling first."""
    faulty = torch.stack(list(faults.values())).any(dim=0)
    positive, sums = w > 0, w.sum(dim=-1)
    some = allowed.any(dim=-1)
    split = (some & ~allowed.all(dim=-1))[..., None]  # rows in which not all keys are alike
    if (positive & ~allowed & split).any() and not (positive & allowed & split).any():
        return "all weight is on masked keys: an inverted mask (True = may attend)?"
    if not (faulty & some).any():
        return "only queries with no allowed key fail: softmax over nothing?"
    if "not finite" in faults or "sum is not 1" in faults:
        for axis in range(-w.ndim, -1):
            if _sum_to_one(w, axis, tolerance):
                return f"sums over axis {axis} are 1, not those over the keys: softmax over the wrong axis?"
    if "negative" in faults and not (w[allowed] < 0).any():
        return "only masked keys are below 0: something subtracted from them after softmax?"
    if "negative" in faults:
        logarithms = _sum_to_one(w.exp(), -1, tolerance)
        return "logarithms of weights: log_softmax?" if logarithms else "scores, not weights: no softmax?"
    if "not finite" in faults:
        return "a query with no allowed key, or a score that is not finite?"
    if "weight on masked keys" in faults:
        if (positive | allowed)[some].all():
            return "every masked key has weight: no mask, or a finite fill in place of −inf?"
        return "some masked keys have weight: another mask, or a finite fill in place of −inf?"
    if not positive.all(dim=-1)[faulty].any() and (sums[faulty] * (1 - sums[faulty]) > 0).all():
        return "what masked keys had is missing: a mask applied after softmax?"
    if not positive[allowed].all() and (sums > 1 + tolerance).any():
        return "some allowed keys have none, and sums lie around 1: dropout, in training mode?"
    return "none of the usual ones"


def _sum_to_one(w: Tensor, axis: int, tolerance: float) -> bool:
    """Whether all sums over an axis are 1, those left out that are not finite."""
    sums = w.sum(dim=axis)
    finite = sums.isfinite()
    return bool(finite.any() and ((sums - 1).abs() <= tolerance)[finite].all())

"""Do outputs move with their inputs, or not depend on the order at all? Tried from outside."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from helpers.checks.running import (
    check_input,
    check_tolerance,
    default_tolerance,
    isolated,
    module_of,
    relative_change,
    require_finite,
    run,
)
from helpers.inputs import require_positive


@dataclass(frozen=True)
class EquivarianceReport:
    """What `check_equivariance` found."""

    permutations: Int[Tensor, "P T"]
    """The permutations p that were tried."""

    apart: Float[Tensor, "P T"] | None
    """For each of them, how far output t of `model(x[:, p])` is from output t of
    `model(x)[:, p]`, relative to its size; None if the output has no axis of positions."""

    changed: Float[Tensor, " P"]
    """For each of them, how far `model(x[:, p])` is from `model(x)`, relative to its size."""

    tolerance: float
    """The distance up to which two outputs count as equal."""

    likely_cause: str = ""
    """What usually leaves these traces; empty if the model is equivariant or invariant."""

    @property
    def is_equivariant(self) -> bool:
        """True if the outputs moved with their inputs: `model(x[:, p]) == model(x)[:, p]`."""
        return self.apart is not None and bool((self.apart <= self.tolerance).all())

    @property
    def is_invariant(self) -> bool:
        """True if the order made no difference: `model(x[:, p]) == model(x)`."""
        return bool((self.changed <= self.tolerance).all())

    def __str__(self) -> str:
        P, T = self.permutations.shape
        verdict = {
            (True, True): "equivariant and invariant: outputs do not depend on the order of the inputs",
            (True, False): "equivariant, not invariant: outputs move with their inputs",
            (False, True): "invariant, not equivariant: outputs do not depend on the order of the inputs",
            (False, False): "neither equivariant nor invariant: outputs depend on the order of the inputs",
        }[self.is_equivariant, self.is_invariant]
        if not self.likely_cause:
            return f"{verdict} (permutations of {T} positions tried: {P})"
        apart = self.changed[:, None] if self.apart is None else self.apart
        shown = int((apart > self.tolerance).any(dim=1).sum())
        return (
            f"{verdict}\n  permutations of {T} positions that show it: {shown} of {P}\n"
            f"  likely cause: {self.likely_cause}"
        )


def check_equivariance(
    model: Callable[[Tensor], Tensor],
    x: Tensor,
    *,
    module: nn.Module | None = None,
    permutations: int | Int[Tensor, "*P T"] = 8,
    tolerance: float | None = None,
) -> EquivarianceReport:
    """Permute the positions of x: do the outputs move along, or stay as they were?

    Equivariant: `model(x[:, p]) == model(x)[:, p]`, as for self-attention alone. Invariant:
    `model(x[:, p]) == model(x)`, as for symmetric pooling on top of it. In evaluation mode, with
    the same random numbers in every run; everything is left as it was, as in `check_causality`.

    A clean report says that nothing was seen with these inputs and permutations.

    Args:
        model: takes x and returns a tensor, `(N, T, …)` or pooled over the positions `(N, …)`.
        x: `(N, T, …)` floating-point inputs, or `(N, T)` tokens; T at least 2.
        module: whose mode is switched; the model itself if it is an `nn.Module`. A plain function
            is run as it is.
        permutations: how many to try, the reversal and then random ones; or the permutations
            themselves, `(T,)` or `(P, T)`: position t of `x[:, p]` holds what stood at `p[t]`.
        tolerance: distance, relative to the size of an output, up to which two outputs count as
            equal. If None, 2·ε^¾ for a machine epsilon ε: 1.3e-5 in float32.

    Raises:
        ValueError: x is not of that shape or not finite, permutations are neither a positive
            whole number nor permutations of 0 … T − 1, or none of them changes x, tolerance is no
            number of at least 0, module is no `nn.Module`, the model returns something else than
            a tensor `(N, …)`, or no output is finite.
    """
    check_input(x)
    check_tolerance(tolerance)
    module = module_of(model, module)
    permutations = _permutations(permutations, x)
    with torch.no_grad(), isolated(module, "evaluation"):
        output = run(model, x, pooled=True)
        require_finite(output)
        if tolerance is None:
            tolerance = default_tolerance(output.dtype)
        has_positions = output.shape[:2] == x.shape[:2]
        apart, changed = [], []
        for p in permutations:
            permuted = run(model, x[:, p], pooled=True)
            changed.append(relative_change(permuted[:, None], output[:, None]).squeeze())
            if has_positions:
                apart.append(relative_change(permuted, output[:, p]))
        report = EquivarianceReport(
            permutations, torch.stack(apart) if apart else None, torch.stack(changed), tolerance
        )
        if report.is_equivariant or report.is_invariant:
            return report
        return replace(report, likely_cause=_likely_cause(model, x, output, tolerance))


def _permutations(wanted: int | Tensor, x: Tensor) -> Tensor:
    """(P, T): those that are wanted, or the reversal and random ones."""
    T = x.shape[1]
    if isinstance(wanted, Tensor):
        rows = torch.atleast_2d(wanted.cpu())
        if rows.ndim != 2 or not rows.numel() or not torch.equal(
            rows.sort(dim=-1).values, torch.arange(T).expand(len(rows), T).to(rows)
        ):
            raise ValueError(
                f"permutations must be orders of 0 to {T - 1}, of shape ({T},) or (P, {T}), "
                f"got shape {tuple(wanted.shape)}: {wanted.tolist()}"
            )
    else:
        require_positive("permutations", wanted)
        generator = torch.Generator().manual_seed(4)
        random = [torch.randperm(T, generator=generator) for _ in range(wanted - 1)]
        rows = torch.stack([torch.arange(T).flip(0), *random])
    if all(torch.equal(x[:, p], x) for p in rows):
        raise ValueError("at least one permutation must change x, got none that does")
    return rows


def _likely_cause(model: Callable, x: Tensor, output: Tensor, tolerance: float) -> str:
    """What the order enters by, as far as it can be told from outside."""

    def differ(a: Tensor, b: Tensor) -> bool:
        return bool((relative_change(a, b) > tolerance).any())

    if differ(run(model, x, seed=1, pooled=True), output):
        return "two runs on the same input differ: dropout, although in evaluation mode?"
    if output.shape[:2] != x.shape[:2]:
        return "not to be told from an output without positions: check the model before it pools"
    causes = []
    alike = run(model, x[:, :1].expand_as(x))
    if differ(alike, alike[:, :1].expand_as(alike)):
        causes.append("positions added, or a running state (equal inputs give different outputs)")
    # Row t: two neighbours, t and t + 1, change places.
    moved = torch.stack([_exchange(model, x, output, t) for t in range(x.shape[1] - 1)]) > tolerance
    telling = (x[:, 1:] != x[:, :-1]).transpose(0, 1).flatten(1).any(dim=1).cpu()
    if telling[1:].any() and not moved.tril(-1).any():
        causes.append("a causal mask (no exchange of inputs moves an output before them)")
    if not causes and not moved[telling].any(dim=1).all():
        causes.append("a mask that stays behind when inputs move, as for padding (few exchanges matter)")
    if not causes:
        causes.append("positions inside attention, or a mask such as a window (order decides who sees whom)")
    return " and ".join(causes) + "?"


def _exchange(model: Callable, x: Tensor, output: Tensor, t: int) -> Tensor:
    """(T,): how far each output is from having moved along when inputs t and t + 1 change places."""
    p = torch.arange(x.shape[1])
    p[t], p[t + 1] = t + 1, t
    return relative_change(run(model, x[:, p]), output[:, p])

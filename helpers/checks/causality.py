"""Does an output depend on a later input? Looked for from outside, in any model."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from helpers.checks.influence import by_gradient, by_perturbation, normal_like
from helpers.checks.running import (
    check_input,
    check_tolerance,
    isolated,
    module_of,
    require_finite,
    run,
)


@dataclass(frozen=True)
class Leak:
    """Output `query` depends on the later input `key`: seen in this mode, by this method."""

    mode: str
    method: str
    query: int
    key: int
    scale: float
    """The smallest of the tried input scales at which it shows."""


@dataclass(frozen=True)
class CausalityReport:
    """What `check_causality` found."""

    influence: dict[tuple[str, str], Float[Tensor, "T T"]]
    """For each (mode, method), with the inputs as they were given: how strongly output t (row)
    depends on input s (column). By perturbation how far the output moves, relative to its size;
    by gradient relative to the largest of all. inf where not finite."""

    leaks: tuple[Leak, ...]
    """Every dependence of an output on a later input."""

    @property
    def is_causal(self) -> bool:
        """True if no output was seen to depend on a later input."""
        return not self.leaks

    @property
    def likely_cause(self) -> str:
        """What usually leaves these traces; empty if nothing leaks."""
        if self.is_causal:
            return ""
        if {leak.mode for leak in self.leaks} == {"training"}:
            return "something that acts in training mode only: normalisation over time or batch?"
        if min(leak.scale for leak in self.leaks) > 1:
            return "only large inputs leak: a finite fill in place of −inf?"
        moved = torch.stack([m for (_, method), m in self.influence.items() if method == "perturbation"])
        # The last query of an inverted mask has no allowed key: whatever becomes of it is left out.
        if not moved[:, :-1].tril(-1).any():
            return "outputs depend on later inputs and on no earlier one: an inverted mask?"
        if any(matrix.isinf().any() for matrix in self.influence.values()):
            return "not everything is finite: a query with no allowed key?"
        pairs = {(leak.query, leak.key) for leak in self.leaks if leak.scale == 1}
        T = moved.shape[-1]
        if pairs == {(t, t + 1) for t in range(T - 1)}:
            return "each output depends on the next input: a mask off by one?"
        if len(pairs) == T * (T - 1) // 2:
            return "every output depends on every later input: no mask, or normalisation over time?"
        return "none of the usual ones"

    def __str__(self) -> str:
        ways = "; ".join(f"{mode}, by {method}" for mode, method in self.influence)
        if self.is_causal:
            return f"causal: no output depends on a later input ({ways})"
        lines = ["not causal: outputs depend on later inputs"]
        for way in self.influence:
            found = sorted((leak.query, leak.key) for leak in self.leaks if (leak.mode, leak.method) == way)
            first = f", first output {found[0][0]} on input {found[0][1]}" if found else ""
            lines.append(f"  {way[0]}, by {way[1]}: pairs that leak {len(found)}{first}")
        return "\n".join([*lines, f"  likely cause: {self.likely_cause}"])


def check_causality(
    model: Callable[[Tensor], Tensor],
    x: Tensor,
    *,
    module: nn.Module | None = None,
    scales: tuple[float, ...] = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1e3, 1e4, 1e6),
    tolerance: float | None = None,
) -> CausalityReport:
    """Look for outputs that depend on later inputs: position t may depend on 0 … t only.

    Two methods, each in evaluation and in training mode. *Perturbation*: replace the input at one
    position, see which outputs move. *Gradient*: differentiate the output at one position, see at
    which inputs the gradient is not exactly zero. Random numbers (dropout) are the same in every
    run; the mode, the buffers, the parameters' gradients and the global random state are left as
    they were, and so is x.

    A clean report says that nothing was seen with these inputs, not that nothing can be.

    Args:
        model: takes x and returns a tensor `(N, T, …)`.
        x: `(N, T, …)` floating-point inputs, or `(N, T)` tokens; T at least 2. Tokens are
            replaced by other tokens of x; their gradient is taken at the outputs of the model's
            `nn.Embedding`s, and left out where there are none.
        module: whose mode is switched; the model itself if it is an `nn.Module`. A plain function
            is run as it is.
        scales: begins with 1, x itself. At each further one, fresh normal inputs as large as x
            times the scale are tried by perturbation: a finite fill in place of −inf leaks once
            scores reach it. This ends where an output overflows or leaks. Not for tokens.
        tolerance: influence (see `CausalityReport.influence`) up to which a pair counts as
            independent. If None, 0 for gradients and 8 machine epsilons for perturbation.

    Raises:
        ValueError: x is not of that shape or not finite, scales do not begin with 1 or do not
            rise, tolerance is no number of at least 0, module is no `nn.Module`, the model returns
            something else than a tensor `(N, T, …)`, or no output is finite.
    """
    check_input(x)
    _check_scales(scales)
    check_tolerance(tolerance)
    module = module_of(model, module)
    influence: dict[tuple[str, str], Tensor] = {}
    leaks = []
    for mode in ("evaluation", "training") if module is not None else ("as it is",):
        with isolated(module, mode):
            for scale, inputs in _inputs(x, scales):
                output = run(model, inputs)
                if scale > 1 and not output.isfinite().all():
                    break
                require_finite(output)
                matrices = {"perturbation": by_perturbation(model, inputs, output)}
                if scale == 1 and (gradient := by_gradient(model, module, inputs)) is not None:
                    matrices["gradient"] = gradient
                known = {(leak.method, leak.query, leak.key) for leak in leaks if leak.mode == mode}
                for method, matrix in matrices.items():
                    influence.setdefault((mode, method), matrix)
                    exact = 0.0 if method == "gradient" else 8 * torch.finfo(output.dtype).eps
                    above = (matrix > (exact if tolerance is None else tolerance)).triu(1)
                    leaks += [
                        Leak(mode, method, t, s, scale)
                        for t, s in above.nonzero().tolist()
                        if (method, t, s) not in known
                    ]
                if known and scale > 1:
                    break
    return CausalityReport(influence, tuple(leaks))


def _check_scales(scales: tuple[float, ...]) -> None:
    if (
        not isinstance(scales, tuple | list)
        or not scales
        or scales[0] != 1
        or not all(low < high < math.inf for low, high in zip(scales, scales[1:]))
    ):
        raise ValueError(f"scales must be numbers that begin with 1 and rise, got {scales!r}")


def _inputs(x: Tensor, scales: tuple[float, ...]) -> Iterator[tuple[float, Tensor]]:
    """x itself; then, if it is not made of tokens, fresh inputs of each larger size. Whether a
    finite fill leaks hangs on the signs of the scores: at least 8 sequences are tried at a size."""
    yield 1.0, x.detach().clone()
    if x.is_floating_point():
        generator = torch.Generator().manual_seed(3)
        for scale in scales[1:]:
            for _ in range(-(-8 // len(x))):
                yield scale, normal_like(x, generator) * scale

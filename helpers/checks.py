"""Checkers that run on any model: what may not happen, looked for from outside."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from helpers.masks import describe


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
    _check_causality_input(x, scales, tolerance, module)
    module = model if module is None and isinstance(model, nn.Module) else module
    tokens = not x.is_floating_point()
    influence: dict[tuple[str, str], Tensor] = {}
    leaks = []
    for mode in ("evaluation", "training") if module is not None else ("as it is",):
        with _isolated(module, mode):
            for scale, inputs in _inputs(x, scales):
                output = _run(model, inputs)
                if scale > 1 and not output.isfinite().all():
                    break
                if not output.isfinite().any():
                    raise ValueError("no output of the model is finite, so nothing can be compared")
                matrices = {"perturbation": _by_perturbation(model, inputs, output)}
                if scale == 1 and (gradient := _by_gradient(model, module, inputs)) is not None:
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


def _check_causality_input(
    x: Tensor, scales: tuple[float, ...], tolerance: float | None, module: nn.Module | None
) -> None:
    if not isinstance(x, Tensor) or x.ndim < 2 or x.shape[1] < 2 or x.numel() == 0:
        raise ValueError(f"x must be of shape (N, T, …) with T at least 2, got {describe(x)}")
    if not x.is_floating_point() and (x.ndim != 2 or x.is_complex() or x.dtype == torch.bool):
        raise ValueError(
            "x must be floating-point (N, T, …) or whole-number tokens (N, T), "
            f"got {x.dtype} of shape {tuple(x.shape)}"
        )
    if not x.is_floating_point() and x.unique().numel() < 2:
        raise ValueError(f"tokens need at least two different values, got only {x.unique().tolist()}")
    if not x.isfinite().all():
        raise ValueError(
            "x must be finite, as 0·NaN is NaN and would pass for a dependence, got "
            f"{int((~x.isfinite()).sum())} entries that are not"
        )
    if (
        not isinstance(scales, tuple | list)
        or not scales
        or scales[0] != 1
        or not all(low < high < math.inf for low, high in zip(scales, scales[1:]))
    ):
        raise ValueError(f"scales must be numbers that begin with 1 and rise, got {scales!r}")
    if tolerance is not None and not (
        isinstance(tolerance, int | float) and 0 <= tolerance < math.inf
    ):
        raise ValueError(f"tolerance must be a finite number of at least 0, got {tolerance!r}")
    if module is not None and not isinstance(module, nn.Module):
        raise ValueError(f"module must be an nn.Module, got {describe(module)}")


def _inputs(x: Tensor, scales: tuple[float, ...]) -> Iterator[tuple[float, Tensor]]:
    """x itself; then, if it is not made of tokens, fresh inputs of each larger size. Whether a
    finite fill leaks hangs on the signs of the scores: at least 8 sequences are tried at a size."""
    yield 1.0, x.detach().clone()
    if x.is_floating_point():
        generator = torch.Generator().manual_seed(3)
        for scale in scales[1:]:
            for _ in range(-(-8 // len(x))):
                yield scale, _normal_like(x, generator) * scale


def _normal_like(x: Tensor, generator: torch.Generator, size_of: Tensor | None = None) -> Tensor:
    """Normal numbers of the shape of x and the root mean square of `size_of` (x if None)."""
    size = (x if size_of is None else size_of).detach().double().square().mean().sqrt().clamp(min=1e-3)
    return (torch.randn(x.shape, generator=generator, dtype=torch.double) * size.cpu()).to(x)


def _run(model: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """The model's output, with the same random numbers each time and a copy of x to spoil."""
    torch.manual_seed(0)
    output = model(x.clone())
    if (
        not isinstance(output, Tensor)
        or not output.is_floating_point()
        or output.shape[:2] != x.shape[:2]
    ):
        raise ValueError(
            "the model must return one floating-point tensor (N, T, …) for x "
            f"{tuple(x.shape)}, got {describe(output)}"
        )
    return output


@torch.no_grad()
def _by_perturbation(model: Callable, x: Tensor, output: Tensor) -> Tensor:
    """(T, T): how far output t moves, relative to its size, when input s is replaced."""
    generator = torch.Generator().manual_seed(1)
    columns = []
    for s in range(x.shape[1]):
        changed = x.clone()
        changed[:, s] = _replacement(x, s, generator)
        difference = (_run(model, changed) - output).double().abs()
        unmoved = ~output.isfinite()  # what was not finite before says nothing now
        difference = difference.masked_fill(unmoved, 0.0).nan_to_num(nan=torch.inf)
        size = output.double().abs().masked_fill(unmoved, 0.0)
        smallest = torch.finfo(output.dtype).tiny
        columns.append(_per_position(difference) / _per_position(size).clamp(min=smallest))
    return torch.stack(columns, dim=1)


def _replacement(x: Tensor, s: int, generator: torch.Generator) -> Tensor:
    """Other contents for position s, of the size of x: fresh normal numbers, or other tokens."""
    if x.is_floating_point():
        return _normal_like(x[:, s], generator, size_of=x)
    vocabulary = x.unique()
    place = torch.searchsorted(vocabulary, x[:, s].contiguous())
    step = torch.randint(1, len(vocabulary), place.shape, generator=generator).to(place)
    return vocabulary[(place + step) % len(vocabulary)]


def _by_gradient(model: Callable, module: nn.Module | None, x: Tensor) -> Tensor | None:
    """(T, T): the largest gradient of output t (randomly weighted) to input s, over the largest
    of all. None if x is made of tokens and no embedding of them was seen."""
    leaves: list[Tensor] = []
    hooks = []
    with torch.enable_grad():
        if x.is_floating_point():
            leaves.append(x.clone().requires_grad_())
            torch.manual_seed(0)
            output = model(leaves[0] * 1)  # times 1: a leaf may not be changed in place
        else:

            def keep(_module, inputs, named, embedded):
                if (inputs[0] if inputs else named["input"]).shape == x.shape:
                    leaves.append(embedded.detach().requires_grad_())
                    return leaves[-1] * 1

            for part in module.modules() if module is not None else ():
                if isinstance(part, nn.Embedding):
                    hooks.append(part.register_forward_hook(keep, with_kwargs=True))
            try:
                output = _run(model, x)
            finally:
                for hook in hooks:
                    hook.remove()
            if not leaves:
                return None
        generator = torch.Generator().manual_seed(2)
        probe = torch.randn(output.shape, generator=generator).to(output)
        rows = []
        for t in range(x.shape[1]):
            target = (output[:, t] * probe[:, t]).sum()
            row = torch.zeros(x.shape[1], dtype=torch.double)
            if target.requires_grad:
                gradients = torch.autograd.grad(target, leaves, retain_graph=True, allow_unused=True)
                for gradient in gradients:
                    if gradient is not None:
                        size = _per_position(gradient.double().abs().nan_to_num(nan=torch.inf))
                        row = torch.maximum(row, size)
            rows.append(row)
    matrix = torch.stack(rows)
    finite = matrix[matrix.isfinite()]
    largest = finite.max() if finite.numel() and finite.max() > 0 else 1.0
    return matrix / largest


def _per_position(values: Tensor) -> Tensor:
    """(N, T, …) → (T,): the largest at each position, on the CPU."""
    return values.transpose(0, 1).flatten(1).amax(dim=1).cpu()


@contextmanager
def _isolated(module: nn.Module | None, mode: str) -> Iterator[None]:
    """Switch the module to a mode; afterwards modes, buffers and random state are as before."""
    parts = list(module.modules()) if module is not None else []
    modes = [part.training for part in parts]
    # A model may write into a buffer or put another in its place: content and place are kept.
    buffers = [
        (part, name, buffer, buffer.clone())
        for part in parts
        for name, buffer in part._buffers.items()
        if buffer is not None
    ]
    with torch.random.fork_rng():
        if module is not None:
            module.train(mode == "training")
        try:
            yield
        finally:
            for part, training in zip(parts, modes):
                part.training = training
            with torch.no_grad():
                for part, name, buffer, value in buffers:
                    part._buffers[name] = buffer.copy_(value)

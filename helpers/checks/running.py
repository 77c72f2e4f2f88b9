"""A model is run from outside, always with the same random numbers, and left as it was."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from helpers.inputs import form_of


def check_input(x: Tensor) -> None:
    """Look whether inputs are finite floating-point numbers `(N, T, …)` or tokens `(N, T)` of at
    least two kinds.

    Raises:
        ValueError: they are neither, or have fewer than two positions.
    """
    if not isinstance(x, Tensor) or x.ndim < 2 or x.shape[1] < 2 or x.numel() == 0:
        raise ValueError(f"x must be of shape (N, T, …) with T at least 2, got {form_of(x)}")
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


def check_tolerance(tolerance: float | None) -> None:
    """Look at a tolerance, if one is given.

    Raises:
        ValueError: it is no finite number of at least 0.
    """
    if tolerance is not None and not (
        isinstance(tolerance, int | float) and 0 <= tolerance < math.inf
    ):
        raise ValueError(f"tolerance must be a finite number of at least 0, got {tolerance!r}")


def default_tolerance(dtype: torch.dtype) -> float:
    """2·ε^¾: far above what another order of summing does, in a deep model too; 1.3e-5 in float32."""
    return 2 * torch.finfo(dtype).eps ** 0.75


def module_of(model: Callable[..., Tensor], module: nn.Module | None) -> nn.Module | None:
    """The module whose mode is switched: the one that is named, or the model if it is one.

    Raises:
        ValueError: what is named is no module.
    """
    if module is not None and not isinstance(module, nn.Module):
        raise ValueError(f"module must be an nn.Module, got {form_of(module)}")
    return model if module is None and isinstance(model, nn.Module) else module


def run(
    model: Callable[[Tensor], Tensor], x: Tensor, *, seed: int = 0, pooled: bool = False
) -> Tensor:
    """The model's output, with the same random numbers each time and a copy of x to spoil. Where
    it may be pooled over the positions, only its first axis has to be that of x.

    Raises:
        ValueError: it is no floating-point tensor of such a shape.
    """
    torch.manual_seed(seed)
    output = model(x.clone())
    axes = 1 if pooled else 2
    if (
        not isinstance(output, Tensor)
        or not output.is_floating_point()
        or output.shape[:axes] != x.shape[:axes]
    ):
        raise ValueError(
            f"the model must return one floating-point tensor {'(N, …)' if pooled else '(N, T, …)'} "
            f"for x {tuple(x.shape)}, got {form_of(output)}"
        )
    return output


def require_finite(output: Tensor) -> None:
    """Look whether there is anything to compare.

    Raises:
        ValueError: nothing of the output is finite.
    """
    if not output.isfinite().any():
        raise ValueError("no output of the model is finite, so nothing can be compared")


def relative_change(new: Tensor, old: Tensor) -> Tensor:
    """(N, T, …) twice → (T,): how far each position moved, relative to its size. What was not finite
    before says nothing; what no longer is moved by inf."""
    unknown = ~old.isfinite()
    difference = (new - old).double().abs().masked_fill(unknown, 0.0).nan_to_num(nan=torch.inf)
    size = old.double().abs().masked_fill(unknown, 0.0)
    return per_position(difference) / per_position(size).clamp(min=torch.finfo(old.dtype).tiny)


def per_position(values: Tensor) -> Tensor:
    """(N, T, …) → (T,): the largest at each position, on the CPU."""
    return values.transpose(0, 1).flatten(1).amax(dim=1).cpu()


@contextmanager
def isolated(module: nn.Module | None, mode: str) -> Iterator[None]:
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

"""How strongly each output of a model depends on each input: measured by perturbation and by gradient."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from helpers.checks.running import per_position, relative_change, run


@torch.no_grad()
def by_perturbation(model: Callable, x: Tensor, output: Tensor) -> Tensor:
    """(T, T): how far output t moves, relative to its size, when input s is replaced."""
    generator = torch.Generator().manual_seed(1)
    columns = []
    for s in range(x.shape[1]):
        changed = x.clone()
        changed[:, s] = _replacement(x, s, generator)
        columns.append(relative_change(run(model, changed), output))
    return torch.stack(columns, dim=1)


def by_gradient(model: Callable, module: nn.Module | None, x: Tensor) -> Tensor | None:
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
                output = run(model, x)
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
                        size = per_position(gradient.double().abs().nan_to_num(nan=torch.inf))
                        row = torch.maximum(row, size)
            rows.append(row)
    matrix = torch.stack(rows)
    finite = matrix[matrix.isfinite()]
    largest = finite.max() if finite.numel() and finite.max() > 0 else 1.0
    return matrix / largest


def _replacement(x: Tensor, s: int, generator: torch.Generator) -> Tensor:
    """Other contents for position s, of the size of x: fresh normal numbers, or other tokens."""
    if x.is_floating_point():
        return normal_like(x[:, s], generator, size_of=x)
    vocabulary = x.unique()
    place = torch.searchsorted(vocabulary, x[:, s].contiguous())
    step = torch.randint(1, len(vocabulary), place.shape, generator=generator).to(place)
    return vocabulary[(place + step) % len(vocabulary)]


def normal_like(x: Tensor, generator: torch.Generator, size_of: Tensor | None = None) -> Tensor:
    """Normal numbers of the shape of x and the root mean square of `size_of` (x if None)."""
    size = (x if size_of is None else size_of).detach().double().square().mean().sqrt().clamp(min=1e-3)
    return (torch.randn(x.shape, generator=generator, dtype=torch.double) * size.cpu()).to(x)

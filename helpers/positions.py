"""How a model learns the order of its tokens, one: positions that are added to the embeddings.

Attention by itself treats a sequence as a set. Two families bring the order in. This one adds a
vector to each embedding; `helpers.attention_positions` changes what happens between a query and a
key.
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn

from helpers.inputs import form_of, require_positive


def sinusoidal_positions(
    length: int, width: int, device: torch.device | str | None = None
) -> Float[Tensor, "length width"]:
    """sin and cos of pos/10000^(2i/width), in turn: a wave for each pair of coordinates.

    Vaswani et al. 2017, section 3.5.

    Args:
        length: number of positions.
        width: number of coordinates, even.
        device: where the table is made; PyTorch's default if None.

    Returns:
        `(length, width)` in the default dtype: coordinate 2i holds the sine, 2i + 1 the cosine.

    Raises:
        ValueError: length or width is not a positive whole number, or width is odd.
    """
    require_positive("length", length)
    require_even("width", width)
    angles = wave_angles(torch.arange(length, device=device), width)
    table = torch.stack([angles.sin(), angles.cos()], dim=-1)  # (length, width/2, 2)
    return table.flatten(1).to(torch.get_default_dtype())  # → (length, width)


def wave_angles(positions: Tensor, width: int, base: float = 10000.0) -> Tensor:
    """pos/base^(2i/width) in double precision: positions (T,) → (T, width/2)."""
    pairs = torch.arange(0, width, 2, device=positions.device, dtype=torch.double)  # 2i
    return positions.double()[:, None] * base ** (-pairs / width)


def require_even(name: str, width: int) -> None:
    """Refuse `width` unless it is a positive even number."""
    require_positive(name, width)
    if width % 2:
        raise ValueError(f"{name} must be even, two coordinates for each wave, got {width}")


class _AddedPositions(nn.Module):
    """Adds row `pos` of a table `(max_length, width)` to the embedding at position `pos`."""

    table: Tensor

    def forward(self, x: Float[Tensor, "N T width"], start: int = 0) -> Float[Tensor, "N T width"]:
        """Add the positions start … start + T − 1.

        Raises:
            ValueError: a position lies beyond the table, or x is not `(N, T, width)`.
        """
        max_length, width = self.table.shape
        if not isinstance(x, Tensor) or x.ndim != 3 or x.shape[-1] != width:
            raise ValueError(f"x must be of shape (N, T, {width}), got {form_of(x)}")
        end = start + x.shape[1]
        if start < 0 or end > max_length:
            raise ValueError(
                f"the table of positions holds 0 to {max_length - 1} (max_length={max_length}), "
                f"got a sequence with positions {start} to {end - 1}"
            )
        return x + self.table[start:end]  # (N, T, width) + (T, width)


class SinusoidalPositions(_AddedPositions):
    """Adds `sinusoidal_positions`. No parameters.

    Args:
        max_length: number of positions the table holds.
        width: of the embeddings.

    Raises:
        ValueError: as in `sinusoidal_positions`.
    """

    def __init__(self, max_length: int, width: int):
        super().__init__()
        self.register_buffer("table", sinusoidal_positions(max_length, width), persistent=False)


class LearnedPositions(_AddedPositions):
    """Adds a learned vector for each position: a table that ends, and whose rows mean nothing
    until training has used them (Gehring et al. 2017, section 3.1; Devlin et al. 2019).

    Drawn from N(0, ½), so that a row begins as large as a row of sinusoids.

    Args:
        max_length: number of positions the table holds.
        width: of the embeddings.

    Raises:
        ValueError: max_length or width is not a positive whole number.
    """

    def __init__(self, max_length: int, width: int):
        super().__init__()
        require_positive("max_length", max_length)
        require_positive("width", width)
        self.table = nn.Parameter(torch.empty(max_length, width).normal_(std=math.sqrt(0.5)))


ADDED = {"sinusoidal": SinusoidalPositions, "learned": LearnedPositions}
"""By name; made from the longest sequence and the width."""

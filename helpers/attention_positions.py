"""How a model learns the order of its tokens, two: positions inside attention.

Each scheme overrides one or two methods of `AttentionPositions`, which does nothing. (One: added to
the embeddings, `helpers.positions`.)
"""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from helpers.inputs import require_positive
from helpers.positions import require_even, wave_angles


class AttentionPositions(nn.Module):
    """Where positions can enter self-attention. Each of the three does nothing by itself."""

    def rotate(
        self, x: Float[Tensor, "N heads T d_k"], positions: Int[Tensor, " T"]
    ) -> Float[Tensor, "N heads T d_k"]:
        """Turn the queries or the keys at these positions, before their dot product."""
        return x

    def score_bias(
        self,
        q: Float[Tensor, "N h T d_k"],
        query_positions: Int[Tensor, " T"],
        key_positions: Int[Tensor, " S"],
    ) -> Float[Tensor, "..."] | None:
        """What is added to the scaled scores, broadcastable to `(N, h, T, S)`; None for nothing."""
        return None

    def value_bias(
        self,
        weights: Float[Tensor, "N h T S"],
        query_positions: Int[Tensor, " T"],
        key_positions: Int[Tensor, " S"],
    ) -> Float[Tensor, "N h T d_v"] | None:
        """What is added to the weighted mean of the values; None for nothing."""
        return None


class RotaryPositions(AttentionPositions):
    """Turns each pair of coordinates of q and k by an angle that grows with the position, so that
    their product depends on the offset: (R_m q)ᵀ(R_n k) = qᵀ R_{n−m} k. Values are not turned.

    Su et al. 2024, "RoFormer", section 3.2; pairs are neighbours, 2i and 2i + 1, as there.

    Args:
        d_k: width of a head, even.
        base: of the wavelengths 2π·base^(2i/d_k).

    Raises:
        ValueError: d_k is not a positive even number, base is not above 1.
    """

    def __init__(self, d_k: int, base: float = 10000.0):
        super().__init__()
        require_even("d_k", d_k)
        if not isinstance(base, (int, float)) or not base > 1:
            raise ValueError(f"base must be a number above 1, got {base!r}")
        self.d_k = d_k
        self.base = base

    def rotate(
        self, x: Float[Tensor, "N heads T d_k"], positions: Int[Tensor, " T"]
    ) -> Float[Tensor, "N heads T d_k"]:
        """Each pair by its angle, which is the position over the pair's wavelength, times 2π."""
        angles = wave_angles(positions, self.d_k, self.base)  # (T, d_k/2)
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        even, odd = x[..., 0::2], x[..., 1::2]  # (…, T, d_k/2)
        turned = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1)
        return turned.flatten(-2)  # (…, T, d_k/2, 2) → (…, T, d_k)


class RelativePositions(AttentionPositions):
    """A learned vector for each offset, met by the query as a further key and mixed in as a further
    value; offsets beyond the clip share the outermost one.

    Shaw et al. 2018, equations 3 and 4, one table for all heads (section 3.3). They saw the key
    term do nearly all of the work (table 3).

    Args:
        d_k: width of a head.
        clip: the largest offset with a vector of its own.

    Raises:
        ValueError: d_k or clip is not a positive whole number.
    """

    def __init__(self, d_k: int, clip: int = 16):
        super().__init__()
        require_positive("d_k", d_k)
        require_positive("clip", clip)
        self.d_k = d_k
        self.clip = clip
        std = d_k**-0.5
        self.keys = nn.Parameter(torch.empty(2 * clip + 1, d_k).normal_(std=std))
        self.values = nn.Parameter(torch.empty(2 * clip + 1, d_k).normal_(std=std))

    def score_bias(
        self,
        q: Float[Tensor, "N h T d_k"],
        query_positions: Int[Tensor, " T"],
        key_positions: Int[Tensor, " S"],
    ) -> Float[Tensor, "N h T S"]:
        """The scaled product of each query with the vector of each key's offset."""
        by_offset = q @ self.keys.mT / math.sqrt(q.shape[-1])  # (N, h, T, 2·clip + 1)
        row = self._row(query_positions, key_positions)  # (T, S)
        return by_offset.gather(-1, row.expand(*q.shape[:2], -1, -1))  # → (N, h, T, S)

    def value_bias(
        self,
        weights: Float[Tensor, "N h T S"],
        query_positions: Int[Tensor, " T"],
        key_positions: Int[Tensor, " S"],
    ) -> Float[Tensor, "N h T d_v"]:
        """The weighted mean of the offsets' vectors."""
        row = self._row(query_positions, key_positions)
        by_offset = weights.new_zeros(*weights.shape[:-1], len(self.values))
        by_offset = by_offset.scatter_add(-1, row.expand_as(weights), weights)
        return by_offset @ self.values  # (N, h, T, 2·clip + 1)·(2·clip + 1, d_v)

    def _row(self, query_positions: Tensor, key_positions: Tensor) -> Tensor:
        """(T, S): the table's row for the offset from each query to each key."""
        offset = key_positions[None, :] - query_positions[:, None]
        return offset.clamp(-self.clip, self.clip) + self.clip


class ALiBi(AttentionPositions):
    """Takes from each score its distance times a slope, another for each head. No parameters.

    Press et al. 2022, section 3: slopes are a geometric sequence that begins with its ratio,
    2^(−8/h). Where h is no power of 2, that of the next lower power, then every other one of the
    next higher (their published code). The distance is |m − n|: without a causal mask, left and
    right look the same.

    Args:
        n_heads: number of heads h.

    Raises:
        ValueError: n_heads is not a positive whole number.
    """

    def __init__(self, n_heads: int):
        super().__init__()
        require_positive("n_heads", n_heads)
        self.n_heads = n_heads
        self.register_buffer("slopes", torch.tensor(_slopes(n_heads)), persistent=False)

    def score_bias(
        self,
        q: Float[Tensor, "N h T d_k"],
        query_positions: Int[Tensor, " T"],
        key_positions: Int[Tensor, " S"],
    ) -> Float[Tensor, "h T S"]:
        """Minus the distance, times the head's slope."""
        distance = (query_positions[:, None] - key_positions[None, :]).abs()  # (T, S)
        return -self.slopes[:, None, None] * distance  # → (h, T, S)


def _slopes(n_heads: int) -> list[float]:
    power = 2 ** int(math.log2(n_heads))
    slopes = [2 ** (-8 * (i + 1) / power) for i in range(power)]
    if power < n_heads:
        slopes += _slopes(2 * power)[0::2][: n_heads - power]
    return slopes


INSIDE = {
    "rotary": lambda d_k, n_heads: RotaryPositions(d_k),
    "relative": lambda d_k, n_heads: RelativePositions(d_k),
    "alibi": lambda d_k, n_heads: ALiBi(n_heads),
}
"""By name; made for one layer from the width of a head and the number of heads."""

"""Type hints, helper functions, a named tuple in between, and other names for everything local."""

from typing import NamedTuple

from torch import Tensor


class Peaks(NamedTuple):
    raw: float
    scaled: float


def draw_scores(width: int, keys: int) -> Tensor:
    """One query against a set of keys: (keys, width)·(width,) → (keys,)."""
    return torch.randn(keys, width).mv(torch.randn(width))


def concentration(scores: Tensor) -> float:
    return torch.softmax(scores, dim=0).max().item()


def one_draw(width: int, keys: int) -> Peaks:
    scores = draw_scores(width, keys)
    return Peaks(concentration(scores), concentration(scores * width**-0.5))


def average_peaks(d: int, n_draws: int, n_keys: int) -> dict[str, float]:
    draws = [one_draw(d, n_keys) for _ in range(n_draws)]
    return {field: sum(getattr(draw, field) for draw in draws) / len(draws) for field in Peaks._fields}


def peak_table(widths: list[int], n_draws: int, n_keys: int) -> dict[str, list]:
    table: dict[str, list] = {"d": widths}
    measured = [average_peaks(width, n_draws, n_keys) for width in widths]
    table.update({field: [row[field] for row in measured] for field in Peaks._fields})
    return table


def trends(table: dict[str, list]) -> dict[str, str]:
    words: dict[str, str] = {}
    for field in Peaks._fields:
        column: list[float] = table[field]
        pairs = list(zip(column[:-1], column[1:], strict=True))
        flat = max(column) / min(column) <= 1.25
        rising = all(left < right for left, right in pairs)
        falling = all(left > right for left, right in pairs)
        words[field] = "flat" if flat else "rising" if rising else "falling" if falling else "mixed"
    return words

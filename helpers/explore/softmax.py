"""d_k and the peak of softmax: what is left of the other keys."""

import math
from functools import lru_cache

import matplotlib.pyplot as plt
import numpy as np

from helpers import plots
from helpers.explore.controls import Choice, Picture, play

WIDTHS = [2**i for i in range(10)]
DRAWS = 100


def softmax(
    live: bool = False, *, d_k: int = 64, exponent: float = 0.5, S: int = 10, spread: float = 1.0, draw: int = 0
) -> None:
    """Weights of one query, its scores divided by d_k to a power of your choice.

    Vaswani et al. 2017, section 3.2.1, divide by d_k to the power ½.

    Args:
        live: whether with sliders; the other arguments say where they begin.
        d_k: width of the query and its keys, a power of two up to 512.
        exponent: what d_k is raised to before it divides: 0 (no division), ¼, ½, ¾ or 1.
        S: number of keys: 2, 5, 10, 20 or 50.
        spread: standard deviation of the entries of query and keys: ¼, ½, 1, 2 or 4.
        draw: which of the first ten of 100 draws, 0 to 9.

    Raises:
        ValueError: a value is none of these.
    """
    controls = {
        "d_k": Choice("d_k", WIDTHS),
        "exponent": Choice("exponent of d_k", [0, 0.25, 0.5, 0.75, 1]),
        "S": Choice("number of keys", [2, 5, 10, 20, 50]),
        "spread": Choice("spread of entries", [0.25, 0.5, 1, 2, 4]),
        "draw": Choice("draw", range(10)),
    }
    play(draw_softmax, controls, dict(d_k=d_k, exponent=exponent, S=S, spread=spread, draw=draw), live)


def draw_softmax(d_k: int, exponent: float, S: int, spread: float, draw: int) -> Picture:
    """Left the weights of one draw, largest first; right the peak of 100 draws at every width."""
    weights = {width: _softmax(_scores(width, S) * spread**2 / width**exponent) for width in WIDTHS}
    shown = np.sort(weights[d_k][draw])[::-1]
    effective = math.exp(-(shown * np.log(np.where(shown > 0, shown, 1))).sum())
    low, median, high = np.quantile([w.max(axis=-1) for w in weights.values()], [0.05, 0.5, 0.95], axis=1)

    fig, (left, right) = plt.subplots(1, 2, figsize=(7.8, 3.6), sharey=True)
    left.bar(range(1, S + 1), shown, color=plots.COLOURS["weight"])
    left.set(title=f"one query: peak {shown[0]:.2f}, $e^H$ = {effective:.1f} keys", ylim=(0, 1.05))
    left.set(xlabel="keys, the heaviest first", ylabel="weight", xlim=(0.4, S + 0.6))
    left.xaxis.get_major_locator().set_params(integer=True)
    right.fill_between(WIDTHS, low, high, color=plots.COLOURS["weight"], alpha=0.3)
    right.plot(WIDTHS, median, color=plots.COLOURS["weight"], label=f"{DRAWS} queries: median, middle nine tenths")
    right.plot(d_k, shown[0], "ko", label="this query")
    right.set(title=f"peaks, scores ÷ $d_k^{{{exponent:g}}}$", xlabel="$d_k$", xscale="log")
    right.set_xticks(WIDTHS, WIDTHS)
    right.minorticks_off()
    for ax in (left, right):
        ax.axhline(1 / S, color="black", linewidth=1, linestyle=":", label="equal weights")
    fig.legend(*right.get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=10)
    return fig, (
        f"Left: the weights of one query over {S} keys, with d_k = {d_k}, scores divided by d_k to the "
        f"power {exponent:g} and entries of spread {spread:g}; the peak is {shown[0]:.2f}, e to the "
        f"entropy {effective:.1f} keys. Right: the peak against d_k; the median of {DRAWS} draws goes from "
        f"{median[0]:.2f} at {WIDTHS[0]} to {median[-1]:.2f} at {WIDTHS[-1]}. Equal weights would be {1 / S:.2f}."
    )


@lru_cache(maxsize=64)
def _scores(d_k: int, S: int) -> np.ndarray:
    """Raw scores, a row for each draw of one query and S keys of its own: (draws, S)."""
    rng = np.random.default_rng(0)
    return np.stack([rng.standard_normal(d_k) @ rng.standard_normal((S, d_k)).T for _ in range(DRAWS)])


def _softmax(scores: np.ndarray) -> np.ndarray:
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)

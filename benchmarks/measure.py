"""Pairs of measurements, their ratios, and how these are told.

A machine that does other work besides slows down everything it runs at that time. So the two sides
of a pair are measured in turn, the one that begins alternates, and what counts is the ratio within
a pair: its median over several pairs, and between which bounds the middle half of them lies.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from matplotlib.figure import Figure

from helpers import plots


@dataclass(frozen=True)
class Result:
    """One row of the table."""

    work: str
    against: str
    ratios: list[float]
    """Ours over theirs, one for each pair."""

    at_most: float | None = None
    """The aim for the median; None where the row is only told."""

    notes: list[str] = field(default_factory=list)
    """Figures with units that belong to the row."""

    @property
    def median(self) -> float:
        return statistics.median(self.ratios)

    @property
    def spread(self) -> tuple[float, float]:
        """The middle half of the ratios lies between these; all of them where they are few."""
        if len(self.ratios) < 4:
            return min(self.ratios), max(self.ratios)
        low, _, high = statistics.quantiles(self.ratios, n=4, method="inclusive")
        return low, high

    @property
    def verdict(self) -> str:
        if self.at_most is None:
            return "–"
        return "reached" if self.median <= self.at_most else "missed"


def seconds(function: Callable[[], object]) -> float:
    """How long one call takes."""
    begin = time.perf_counter()
    function()
    return time.perf_counter() - begin


def in_turn(
    ours: Callable[[], float], theirs: Callable[[], float], pairs: int, warm_up: int = 1
) -> tuple[list[float], list[float]]:
    """Measure ours and theirs in turn.

    Args:
        ours, theirs: each measures once and returns the figure.
        pairs: how many pairs are kept.
        warm_up: how many are measured before and thrown away.

    Returns:
        The figures of ours and of theirs, in pairs.
    """
    figures: tuple[list[float], list[float]] = ([], [])
    for pair in range(-warm_up, pairs):
        order = (0, 1) if pair % 2 == 0 else (1, 0)
        measured = {side: (ours, theirs)[side]() for side in order}
        if pair >= 0:
            for side in (0, 1):
                figures[side].append(measured[side])
    return figures


def ratios(figures: tuple[list[float], list[float]]) -> list[float]:
    """Ours over theirs, pair by pair."""
    return [a / b for a, b in zip(*figures)]


def table(results: list[Result]) -> str:
    """The results as Markdown."""
    lines = [
        "| work | against | ours / theirs: median (spread) | pairs | aim | |",
        "|---|---|---|---|---|---|",
    ]
    for result in results:
        low, high = result.spread
        aim = "–" if result.at_most is None else f"≤ {_figure(result.at_most)}"
        lines.append(
            f"| {result.work} | {result.against} | {_figure(result.median)} "
            f"({_figure(low)} – {_figure(high)}) | {len(result.ratios)} | {aim} | {result.verdict} |"
        )
    notes = [f"- {result.work}: {note}" for result in results for note in result.notes]
    return "\n".join([*lines, "", *notes])


def picture(results: list[Result]) -> Figure:
    """Each row's median and spread on a logarithmic axis, with its aim."""
    plots.use_style()
    fig = Figure(figsize=(11.0, 1.4 + 0.55 * len(results)))  # not pyplot's: it goes to a file, and no window is needed
    ax = fig.subplots()
    for row, result in enumerate(results):
        low, high = result.spread
        missed = result.verdict == "missed"
        colour = plots.COLOURS["bad" if missed else "query"]
        ax.plot([low, high], [row, row], color=colour, linewidth=5, alpha=0.4, solid_capstyle="round")
        ax.plot(result.median, row, "o", color=colour, markersize=8)
        ax.annotate(
            _figure(result.median), (result.median, row), (-7, 0), textcoords="offset points",
            ha="right", va="center",
        )
        if result.at_most is not None:
            ax.plot(result.at_most, row, "|", color="black", markersize=20, markeredgewidth=2)
    ax.axvline(1.0, color=plots.COLOURS["muted"], linestyle="--", linewidth=1)
    ax.set_xscale("log")
    ax.margins(x=0.15)  # room for the figures beside the outermost points
    ax.set_yticks(range(len(results)), [f"{r.work}\nagainst {r.against}" for r in results], fontsize=9)
    ax.set_ylim(len(results) - 0.4, -0.7)
    ax.set_xlabel("ours / theirs: median, middle half; black stroke: the aim")
    return fig


def _figure(value: float) -> str:
    return f"{value:.4f}" if value < 0.1 else f"{value:.2f}"

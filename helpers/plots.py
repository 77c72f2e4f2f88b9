"""The pictures the lessons share: one colour per role, one heat map, one way of showing.

Colours are those of Okabe and Ito (2008, "Color Universal Design"), which readers with the
common kinds of colour blindness tell apart.
"""

import hashlib
import io
from collections.abc import Iterable, Sequence

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_hex, to_rgb
from matplotlib.figure import Figure
from PIL import Image
from torch import Tensor

COLOURS = {
    "input": "#666666",
    "query": "#0072B2",
    "key": "#E69F00",
    "value": "#009E73",
    "score": "#56B4E9",
    "weight": "#CC79A7",
    "output": "#D55E00",
    "mask": "#D9D9D9",
    "muted": "#999999",
    "good": "#009E73",
    "bad": "#D55E00",
}
"""One colour for each role, the same in every picture and schematic of the course."""

DPI = 110


def use_style() -> None:
    """Make the next figures look like the course's: legible at notebook size, few lines."""
    plt.rcdefaults()
    plt.rcParams.update(
        {
            "figure.figsize": (7.0, 3.6),
            "figure.dpi": DPI,
            "figure.constrained_layout.use": True,
            "font.size": 11,
            "axes.titlesize": 12,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "axes.axisbelow": True,
            "grid.color": "#E5E5E5",
            "lines.linewidth": 2.0,
            "legend.frameon": False,
            "axes.prop_cycle": plt.cycler(
                color=[COLOURS[role] for role in ("query", "output", "value", "weight", "key")]
            ),
        }
    )


def show(fig: Figure, alt: str, *, measured: Iterable[Axes] = ()) -> None:
    """Show a figure with a text for those who cannot see it, then close it.

    The recorded output holds the picture as PNG and `alt` twice: as the picture's alternative
    text and as the plain text beside it. A figure with measured times is another one each time it is
    drawn; its output holds besides what stays the same, so that a test can compare that.

    Args:
        fig: the figure.
        alt: what the picture shows, in a sentence or two.
        measured: the axes whose vertical values were measured on this machine.

    Raises:
        ValueError: alt is empty; or there are measured axes, and the figure is not of curves alone.
    """
    if not isinstance(alt, str) or not alt.strip():
        raise ValueError(f"alt must say what the picture shows, got {alt!r}")
    measured = list(measured)
    lasting = [_lasting(ax, ax in measured) for ax in fig.axes] if measured else None
    drawn, png = io.BytesIO(), io.BytesIO()
    fig.savefig(drawn, format="png", dpi=DPI, facecolor="white", metadata={"Software": None})
    plt.close(fig)
    # 256 colours, each within a few of 255 of the drawn one: a third of the bytes in the notebook
    picture = Image.open(drawn).convert("RGB").quantize(
        256, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE
    )
    picture.save(png, format="png", optimize=True)
    told = {"alt": alt}
    if lasting is not None:
        told |= {"drawn": lasting, "sha256": hashlib.sha256(png.getvalue()).hexdigest()}
    display(
        {"image/png": png.getvalue(), "text/plain": alt}, metadata={"image/png": told}, raw=True
    )


def _lasting(ax: Axes, measured: bool) -> dict:
    """What a later drawing of these axes has to share: all of the curves, or all but their heights."""
    if others := [*ax.images, *ax.patches, *ax.collections]:
        raise ValueError(f"measured pictures are of curves alone, got {type(others[0]).__name__}")
    legends = [legend for legend in (ax.get_legend(), *ax.figure.legends) if legend]
    lasting = {
        "title": ax.get_title(),
        "x": [ax.get_xlabel(), ax.get_xscale(), [tick.get_text() for tick in ax.get_xticklabels()]],
        "y": [ax.get_ylabel(), ax.get_yscale()],
        "legend": [text.get_text() for legend in legends for text in legend.get_texts()],
        "curves": [],
    }
    for line in ax.lines:
        x, y = ([float(f"{value:.6g}") for value in data] for data in line.get_data())
        look = {"label": line.get_label(), "colour": to_hex(line.get_color()),
                "style": [line.get_linestyle(), line.get_marker()], "x": x}
        lasting["curves"].append(look if measured else look | {"y": y})
    return lasting


def heatmap(
    matrix: Tensor | np.ndarray | Sequence,
    *,
    ax: Axes | None = None,
    role: str = "weight",
    title: str = "",
    xlabel: str = "keys",
    ylabel: str = "queries",
    xticklabels: Sequence | None = None,
    yticklabels: Sequence | None = None,
    vmin: float | None = None,
    vmax: float | None = None,
    decimals: int | None = 2,
) -> Axes:
    """Draw a matrix with its numbers written in: rows downwards, columns to the right.

    Args:
        matrix: `(T, S)`, finite or ±inf.
        ax: where to draw; a figure of fitting size is made if None.
        role: the colour, a key of `COLOURS`. Values of both signs are drawn from orange over
            white to blue instead, symmetric about 0.
        title, xlabel, ylabel, xticklabels, yticklabels: texts; positions are numbered from 0.
        vmin, vmax: ends of the colour scale. Taken from the matrix if None, from 0 on where
            nothing is negative.
        decimals: digits written after the point; None writes no numbers.

    Returns:
        The axes; `ax.figure` is the figure.

    Raises:
        ValueError: matrix is not 2-D, is empty, or role is unknown.
    """
    values = _as_matrix(matrix)
    if role not in COLOURS:
        raise ValueError(f"role must be one of {sorted(COLOURS)}, got {role!r}")
    finite = values[np.isfinite(values)]
    low, high = (finite.min(), finite.max()) if finite.size else (0.0, 1.0)
    signed = low < 0 if vmin is None else vmin < 0
    if signed:
        bound = max(abs(low), abs(high))
        low, high = -bound, bound
        colours = _ramp(COLOURS["output"], "white", COLOURS["query"])
    else:
        low = 0.0
        colours = _ramp("white", COLOURS[role])
    low, high = low if vmin is None else vmin, high if vmax is None else vmax
    ax = _matrix_axes(values, ax, title, xlabel, ylabel, xticklabels, yticklabels)
    ax.imshow(values, cmap=colours, vmin=low, vmax=high if high > low else low + 1.0)
    if decimals is not None:
        span = high - low if high > low else 1.0
        for (row, column), value in np.ndenumerate(values):
            text = f"{value:.{decimals}f}".replace("-", "−").replace("inf", "∞")
            shade = colours(float(np.clip((value - low) / span, 0, 1)) if value == value else 0.0)
            _write(ax, row, column, text, shade)
    return ax


def mask_map(
    mask: Tensor | np.ndarray,
    *,
    ax: Axes | None = None,
    title: str = "",
    xlabel: str = "keys",
    ylabel: str = "queries",
    xticklabels: Sequence | None = None,
    yticklabels: Sequence | None = None,
) -> Axes:
    """Draw a boolean mask: a tick on blue where a query may attend, grey where it may not.

    Args:
        mask: `(T, S)` boolean, True = may attend.
        ax, title, xlabel, ylabel, xticklabels, yticklabels: as in `heatmap`.

    Returns:
        The axes.

    Raises:
        ValueError: mask is not 2-D, not boolean, or empty.
    """
    values = _as_matrix(mask)
    if values.dtype != bool:
        raise ValueError(f"mask must be boolean (True = may attend), got dtype {values.dtype}")
    ax = _matrix_axes(values, ax, title, xlabel, ylabel, xticklabels, yticklabels)
    colours = _ramp(COLOURS["mask"], COLOURS["query"])
    ax.imshow(values, cmap=colours, vmin=0, vmax=1)
    for row, column in np.argwhere(values):
        _write(ax, row, column, "✓", colours(1.0))
    return ax


def _as_matrix(matrix: Tensor | np.ndarray | Sequence) -> np.ndarray:
    if isinstance(matrix, Tensor):
        matrix = matrix.detach().cpu()
        matrix = matrix.float() if matrix.is_floating_point() else matrix
    values = np.asarray(matrix)
    if values.ndim != 2 or values.size == 0:
        raise ValueError(f"a matrix of shape (T, S) is needed, got shape {values.shape}")
    return values


def _matrix_axes(values, ax, title, xlabel, ylabel, xticklabels, yticklabels) -> Axes:
    """Axes with one tick for each row and column and thin white lines between the cells."""
    rows, columns = values.shape
    if ax is None:
        size = (0.62 * columns + 1.2, 0.5 * rows + 1.2)
        _, ax = plt.subplots(figsize=(max(size[0], 2.4), max(size[1], 2.0)))
    ax.set(title=title, xlabel=xlabel, ylabel=ylabel)
    ax.set_xticks(range(columns), xticklabels if xticklabels is not None else range(columns))
    ax.set_yticks(range(rows), yticklabels if yticklabels is not None else range(rows))
    ax.set_xticks(np.arange(columns + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(rows + 1) - 0.5, minor=True)
    ax.grid(False)
    ax.grid(which="minor", color="white", linewidth=1.5)
    ax.tick_params(which="both", length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)
    return ax


def _ramp(*colours: str) -> LinearSegmentedColormap:
    return LinearSegmentedColormap.from_list("-".join(colours), colours)


def _write(ax: Axes, row: int, column: int, text: str, shade: tuple[float, ...]) -> None:
    """Text in a cell, black on light and white on dark (relative luminance, WCAG 2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(shade[:3])]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    colour = "black" if luminance > 0.179 else "white"  # either way a contrast of at least 4.5
    ax.text(column, row, text, ha="center", va="center", color=colour, fontsize=10)

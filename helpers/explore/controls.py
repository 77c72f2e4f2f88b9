"""A drawing function, and what its reader may change about it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from IPython.display import display
from matplotlib.figure import Figure

from helpers import plots

Picture = tuple[Figure, str]
"""A figure, and what it shows in words, for those who cannot see it."""


@dataclass(frozen=True)
class Choice:
    """One of several values in their order: a slider.

    Args:
        label: what stands before it.
        options: the values, or a function from all other values, a dict, to them.
        shown: how a value is written.
    """

    label: str
    options: Sequence | Callable[[dict], Sequence]
    shown: Callable[[object], str] = str

    def allowed(self, values: Mapping) -> Sequence:
        """The values there are to choose from, given the others."""
        return self.options(dict(values)) if callable(self.options) else self.options

    def fault(self, value: object, values: Mapping) -> str | None:
        """What was expected, if the value cannot be had."""
        allowed = self.allowed(values)
        wrong = isinstance(value, bool) or value not in allowed  # True would pass for 1
        return f"one of {', '.join(map(str, allowed))}" if wrong else None


@dataclass(frozen=True)
class Switch:
    """On or off: a box to tick."""

    label: str

    def fault(self, value: object, values: Mapping) -> str | None:
        """What was expected, if the value cannot be had."""
        return None if isinstance(value, bool) else "True or False"


@dataclass(frozen=True)
class Words:
    """A line of text; the picture follows when it is complete, at Enter."""

    label: str

    def fault(self, value: object, values: Mapping) -> str | None:
        """What was expected, if the value cannot be had."""
        return None if isinstance(value, str) else "text"


@dataclass(frozen=True)
class Cells:
    """Any cells of a table, as pairs `(row, column)`: buttons that stay down.

    Args:
        label: what stands above them.
        rows, columns: the names of both.
    """

    label: str
    rows: Sequence[str]
    columns: Sequence[str]

    def fault(self, value: object, values: Mapping) -> str | None:
        """What was expected, if the value cannot be had."""
        there = {(row, column) for row in range(len(self.rows)) for column in range(len(self.columns))}
        pairs = isinstance(value, tuple) and all(isinstance(cell, tuple) for cell in value)
        if pairs and there.issuperset(value):
            return None
        return f"a tuple of (row, column), up to {(len(self.rows) - 1, len(self.columns) - 1)}"


Control = Choice | Switch | Words | Cells


def play(
    draw: Callable[..., Picture], controls: Mapping[str, Control], values: Mapping, live: bool = False
) -> None:
    """Show what a function draws: as it is, or under controls that draw it anew.

    Args:
        draw: called with a value for each control, by name; returns the figure and its text. A
            `ValueError` of its own is for the reader, in place of the picture.
        controls: what may be changed, by name.
        values: where each control stands at first.
        live: whether there are controls. Without them it is one picture like any other of a lesson.

    Raises:
        ValueError: controls and values differ in their names, or a value is none that its control
            can take; without controls, whatever `draw` raises.
    """
    if controls.keys() != values.keys():
        raise ValueError(f"values must be given for {[*controls]}, got {[*values]}")
    for name, control in controls.items():
        if expected := control.fault(values[name], values):
            raise ValueError(f"{name} must be {expected}, got {values[name]!r}")
    if not live:
        return plots.show(*draw(**values))
    from helpers.explore.live import panel  # ipywidgets, now that it is asked for

    display(panel(draw, controls, values))

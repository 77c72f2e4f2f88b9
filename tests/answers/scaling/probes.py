"""Calls that tell the known mistakes of this exercise apart.

Averages are looked at by their mean and by their scatter from call to call, and a probe looks at one
number, so that two slips in different places do not hide each other.
"""

from helpers.reasons import Probe


def peaks(name, n_keys, narrow):
    """One average of `average_peaks`, at sizes where its peaks are least skewed."""
    return [
        Probe("average_peaks", (5, 3, 1), (name,), "number", repeat=2),  # one key: 1
        Probe("average_peaks", (2, 199, 1), (name,), "number", repeat=2),
        Probe("average_peaks", (64, 30, n_keys), (name,), "number", repeat=60),
        # A narrow head: it matters most whether each draw has a query of its own.
        Probe("average_peaks", (narrow, 50, 100), (name,), "number", repeat=110),
        Probe("average_peaks", (4, 1, 4), (name,), "number", repeat=80),  # single draws
        # A very wide head: the exponential of a raw score is more than float32 holds.
        Probe("average_peaks", (10_000, 25, 10), (name,), "number", repeat=3),
    ]


def entry(widths, n_draws, n_keys, name, row, repeat):
    """One number of a table."""
    return Probe("peak_table", (widths, n_draws, n_keys), (name, row), "number", repeat=repeat)


def trend(name, *column, letter=()):
    """The word for a column, beside one that goes up and down; or a letter of it."""
    other = [0.1, 0.9, 0.2, 0.8, 0.3][: len(column)]
    columns = {"raw": other, "scaled": other, name: list(column)}
    return Probe("trends", ({"d": [2, 3, 5, 6, 7][: len(column)], **columns},), (name, *letter))


PROBES = {
    # Is one of them wrong, or are they swapped? The other beside it tells.
    "test-raw-peaks": [*peaks("raw", 100, 6), Probe("average_peaks", (64, 30, 10), ("scaled",), "number", repeat=8)],
    "test-scaled-peaks": [*peaks("scaled", 3, 12), Probe("average_peaks", (64, 30, 10), ("raw",), "number", repeat=8)],
    "test-peak-table": [
        # What the table rests on.
        Probe("average_peaks", (3, 2, 1), ("raw",), "number", repeat=6),
        Probe("average_peaks", (64, 30, 10), ("scaled",), "number", repeat=8),
        Probe("average_peaks", (16, 1, 25), ("raw",), "number", repeat=40),
        # A single key: nothing but ones beside the widths.
        Probe("peak_table", ([3, 2, 7], 4, 1), ("d",), "numbers"),
        Probe("peak_table", ([3, 3], 4, 1), ("d",), "numbers"),
        entry([3, 2], 4, 1, "raw", 0, repeat=6),
        entry([3, 2], 4, 1, "scaled", 0, repeat=6),
        entry([3, 2], 4, 1, "raw", 1, repeat=6),
        entry([64], 30, 10, "raw", 0, repeat=110),
        entry([64, 4], 20, 10, "raw", -1, repeat=16),
        entry([64, 4], 20, 10, "raw", 0, repeat=16),  # the first number there is, whose is it?
        entry([1000, 2], 2, 4, "raw", 0, repeat=8),
        entry([400], 30, 10, "scaled", 0, repeat=16),
        entry([4], 30, 40, "scaled", 0, repeat=16),
        entry([16], 1, 25, "raw", 0, repeat=40),  # single draws
        entry([16, 64, 256, 1024], 3, 2, "scaled", -1, repeat=4),  # the widths of the text
    ],
    "test-trends": [
        trend("raw", 0.2, 0.4, 0.9),
        trend("raw", 0.2, 0.4, 0.9, letter=[0]),
        trend("scaled", 0.9, 0.4, 0.2),
        trend("raw", 0.2, 0.9, 0.4),
        trend("raw", 0.3, 0.9, 0.8, 0.31),
        trend("scaled", 0.2, 0.21, 0.24),
        trend("scaled", 0.3, 0.33, 0.31),
        trend("raw", 0.2, 0.22, 0.24, 0.3),
        trend("raw", 4.0, 5.0),
        trend("scaled", 0.02, 0.03, 0.03, 0.2),
        trend("raw", 0.02, 0.03, 0.2),
        # One pair decides, or the ends, or the first value, or the order does not matter?
        trend("raw", 0.2, 0.4, 0.3, 0.1),
        trend("scaled", 0.2, 0.1, 0.4),
        trend("raw", 0.4, 0.1, 0.4),
        trend("scaled", 0.2, 0.5, 0.4, 0.9),
        trend("raw", 0.2, 0.1, 0.4, 0.3),
        trend("scaled", 0.9, 0.2),
        trend("raw", 2.0, 4.0, 9.0),
        # With what is the largest value compared?
        trend("scaled", 0.2, 0.24, 0.29, 0.34, 0.4),
        trend("raw", 0.2, 0.4),
        trend("scaled", 0.3, 0.3, 0.3),
    ],
}

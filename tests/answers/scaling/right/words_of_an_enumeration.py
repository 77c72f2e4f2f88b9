"""The words are members of a StrEnum, which are strings; helpers with the names one would pick."""

import enum


class Trend(enum.StrEnum):
    FLAT = "flat"
    RISING = "rising"
    FALLING = "falling"
    MIXED = "mixed"


def word(column):
    steps = [after - before for before, after in zip(column, column[1:])]
    if max(column) / min(column) <= 1.25:
        return Trend.FLAT
    if min(steps) > 0:
        return Trend.RISING
    return Trend.FALLING if max(steps) < 0 else Trend.MIXED


def trends(table):
    return {name: word(table[name]) for name in ("raw", "scaled")}

"""Flat if no step is larger than a quarter.

Loses: test-trends
Diagnosis: flat is judged from each value to the next instead of by the largest and the smallest
"""


def trends(table):
    def trend(column):
        steps = list(zip(column, column[1:]))
        if all(max(pair) <= 1.25 * min(pair) for pair in steps):
            return "flat"
        if all(before < after for before, after in steps):
            return "rising"
        if all(before > after for before, after in steps):
            return "falling"
        return "mixed"

    return {name: trend(table[name]) for name in ("raw", "scaled")}

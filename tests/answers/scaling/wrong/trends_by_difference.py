"""Flat by the difference of the values instead of their ratio.

Loses: test-trends
Diagnosis: the difference of the largest and the smallest value is compared instead of their ratio
"""


def trends(table):
    def w(c):
        if max(c) - min(c) <= 0.25: return "flat"
        if all(a < b for a, b in zip(c, c[1:])): return "rising"
        if all(a > b for a, b in zip(c, c[1:])): return "falling"
        return "mixed"
    return {n: w(table[n]) for n in ("raw", "scaled")}

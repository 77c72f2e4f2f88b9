"""Flat is decided last.

Loses: test-trends
Diagnosis: rising and falling have precedence over flat, which comes first in the rule
"""


def trends(table):
    def w(c):
        if all(a < b for a, b in zip(c, c[1:])): return "rising"
        if all(a > b for a, b in zip(c, c[1:])): return "falling"
        return "flat" if max(c) <= 1.25 * min(c) else "mixed"
    return {n: w(table[n]) for n in ("raw", "scaled")}

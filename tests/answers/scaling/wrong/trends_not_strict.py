"""Equal neighbours count as rising and falling.

Loses: test-trends
Diagnosis: equal neighbours do not keep a column from being called rising or falling
"""


def trends(table):
    def w(c):
        if max(c) <= 1.25 * min(c): return "flat"
        if all(a <= b for a, b in zip(c, c[1:])): return "rising"
        if all(a >= b for a, b in zip(c, c[1:])): return "falling"
        return "mixed"
    return {n: w(table[n]) for n in ("raw", "scaled")}

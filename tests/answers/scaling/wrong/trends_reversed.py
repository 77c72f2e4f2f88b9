"""Rising and falling swapped.

Loses: test-trends
Diagnosis: rising and falling are swapped
"""


def trends(table):
    def w(c):
        if max(c) <= 1.25 * min(c): return "flat"
        if all(a < b for a, b in zip(c, c[1:])): return "falling"
        if all(a > b for a, b in zip(c, c[1:])): return "rising"
        return "mixed"
    return {n: w(table[n]) for n in ("raw", "scaled")}

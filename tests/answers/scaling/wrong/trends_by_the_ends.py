"""Only the first and the last value are compared.

Loses: test-trends
Diagnosis: only the first and the last value decide (in the sum of all steps, too, everything between them cancels)
"""


def trends(table):
    def w(c):
        if max(c) <= 1.25 * min(c): return "flat"
        return "rising" if c[-1] > c[0] else "falling" if c[-1] < c[0] else "mixed"
    return {n: w(table[n]) for n in ("raw", "scaled")}

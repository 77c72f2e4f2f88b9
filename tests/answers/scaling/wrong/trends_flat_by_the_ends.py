"""Flat if the last value is near the first.

Loses: test-trends
Diagnosis: flat is judged by the first and the last value instead of the largest and the smallest
"""


def trends(table):
    result = {}
    for name in ("raw", "scaled"):
        x = table[name]
        first, last = x[0], x[-1]
        if max(first, last) <= 1.25 * min(first, last):
            result[name] = "flat"
        elif all(x[i] < x[i + 1] for i in range(len(x) - 1)):
            result[name] = "rising"
        elif all(x[i] > x[i + 1] for i in range(len(x) - 1)):
            result[name] = "falling"
        else:
            result[name] = "mixed"
    return result

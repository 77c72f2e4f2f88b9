"""Sorting first makes everything rise.

Loses: test-trends
Diagnosis: the column is sorted before it is looked at
"""


def trends(table):
    def trend(values):
        values = sorted(values)
        if values[-1] <= 1.25 * values[0]:
            return "flat"
        if all(values[i] < values[i + 1] for i in range(len(values) - 1)):
            return "rising"
        if all(values[i] > values[i + 1] for i in range(len(values) - 1)):
            return "falling"
        return "mixed"

    return {k: trend(table[k]) for k in ["raw", "scaled"]}

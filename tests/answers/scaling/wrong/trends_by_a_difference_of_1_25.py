"""Flat by the difference, compared with 1.25 itself.

Loses: test-trends
Diagnosis: the difference of the largest and the smallest value is compared instead of their ratio
"""


def trends(table):
    def word(c):
        if max(c) - min(c) <= 1.25:
            return "flat"
        if all(a < b for a, b in zip(c, c[1:])):
            return "rising"
        if all(a > b for a, b in zip(c, c[1:])):
            return "falling"
        return "mixed"

    return {"raw": word(table["raw"]), "scaled": word(table["scaled"])}

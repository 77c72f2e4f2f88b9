"""The quarter is compared with the ratio itself, which is never below 1.

Loses: test-trends
Diagnosis: no column is ever called flat, not even one whose values are all equal
"""


def trends(table):
    def word(c):
        if max(c) / min(c) <= 0.25:
            return "flat"
        if all(a < b for a, b in zip(c, c[1:])):
            return "rising"
        if all(a > b for a, b in zip(c, c[1:])):
            return "falling"
        return "mixed"

    return {"raw": word(table["raw"]), "scaled": word(table["scaled"])}

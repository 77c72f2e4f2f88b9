"""The loop returns at its first pair.

Loses: test-trends
Diagnosis: the first pair of neighbours decides alone, before the others are looked at
"""


def trends(table):
    def word(c):
        if max(c) <= 1.25 * min(c):
            return "flat"
        for a, b in zip(c, c[1:]):
            if b > a:
                return "rising"
            if b < a:
                return "falling"
        return "mixed"

    return {"raw": word(table["raw"]), "scaled": word(table["scaled"])}

"""One step up is enough to rise.

Loses: test-trends
Diagnosis: one single step up is enough for rising, or one step down for falling, where every step should count
"""


def trends(table):
    def word(c):
        if max(c) <= 1.25 * min(c):
            return "flat"
        if any(b > a for a, b in zip(c, c[1:])):
            return "rising"
        if any(b < a for a, b in zip(c, c[1:])):
            return "falling"
        return "mixed"

    return {"raw": word(table["raw"]), "scaled": word(table["scaled"])}

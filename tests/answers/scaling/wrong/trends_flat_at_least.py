"""The comparison for flat points the wrong way.

Loses: test-trends
Diagnosis: flat is what differs by at least 1.25 times, instead of at most
"""


def trends(table):
    def word(c):
        if max(c) >= 1.25 * min(c):
            return "flat"
        if all(a < b for a, b in zip(c, c[1:])):
            return "rising"
        if all(a > b for a, b in zip(c, c[1:])):
            return "falling"
        return "mixed"

    return {"raw": word(table["raw"]), "scaled": word(table["scaled"])}

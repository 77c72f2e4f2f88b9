"""Every value is compared with the first.

Loses: test-trends
Diagnosis: every value is compared with the first one instead of the one before it
"""


def trends(table):
    def word(c):
        if max(c) <= 1.25 * min(c):
            return "flat"
        if all(x > c[0] for x in c[1:]):
            return "rising"
        if all(x < c[0] for x in c[1:]):
            return "falling"
        return "mixed"

    return {"raw": word(table["raw"]), "scaled": word(table["scaled"])}

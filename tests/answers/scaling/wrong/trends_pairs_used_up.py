"""`zip` can be gone through once only.

Loses: test-trends
Diagnosis: the pairs of a `zip` are gone through twice: what the first question has used up is missing from the second
"""


def trends(table):
    def word(c):
        if max(c) <= 1.25 * min(c):
            return "flat"
        pairs = zip(c, c[1:])
        if all(a < b for a, b in pairs):
            return "rising"
        if all(a > b for a, b in pairs):
            return "falling"
        return "mixed"

    return {"raw": word(table["raw"]), "scaled": word(table["scaled"])}

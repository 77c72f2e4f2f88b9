"""At i = 0 the value before, c[i - 1], is the last one.

Loses: test-trends
Diagnosis: no column is ever found to rise or to fall (the value before the first, `c[i - 1]` at i = 0, is the last of the list)
"""


def trends(table):
    def word(c):
        if max(c) <= 1.25 * min(c):
            return "flat"
        if all(c[i] > c[i - 1] for i in range(len(c))):
            return "rising"
        if all(c[i] < c[i - 1] for i in range(len(c))):
            return "falling"
        return "mixed"

    return {"raw": word(table["raw"]), "scaled": word(table["scaled"])}

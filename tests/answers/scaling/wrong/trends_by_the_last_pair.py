"""Each pair overwrites what the one before it said.

Loses: test-trends
Diagnosis: the last pair of neighbours decides alone: each overwrites what the one before it said
"""


def trends(table):
    def word(c):
        if max(c) <= 1.25 * min(c):
            return "flat"
        for i in range(len(c) - 1):
            if c[i + 1] > c[i]:
                found = "rising"
            elif c[i + 1] < c[i]:
                found = "falling"
            else:
                found = "mixed"
        return found

    return {"raw": word(table["raw"]), "scaled": word(table["scaled"])}

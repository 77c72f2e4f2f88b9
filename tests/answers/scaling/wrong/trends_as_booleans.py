"""Whether each column rises.

Loses: test-trends
Diagnosis: True and False are returned instead of words
"""


def trends(table):
    def rises(c):
        return max(c) > 1.25 * min(c) and all(a < b for a, b in zip(c, c[1:]))

    return {"raw": rises(table["raw"]), "scaled": rises(table["scaled"])}

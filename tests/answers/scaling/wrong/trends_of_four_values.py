"""The four widths of the text are counted on.

Loses: test-trends
Diagnosis: a fixed number of values is expected in a column
"""


def trends(table):
    def trend(column):
        a, b, c, d = column
        if max(a, b, c, d) <= 1.25 * min(a, b, c, d):
            return "flat"
        if a < b < c < d:
            return "rising"
        if a > b > c > d:
            return "falling"
        return "mixed"

    return {"raw": trend(table["raw"]), "scaled": trend(table["scaled"])}

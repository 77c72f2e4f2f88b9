"""Flat only if all values are the same.

Loses: test-trends
Diagnosis: a column is called flat only if all its values are equal
"""


def trends(table):
    def trend(column):
        if len(set(column)) == 1:
            return "flat"
        pairs = list(zip(column, column[1:]))
        if all(a < b for a, b in pairs):
            return "rising"
        return "falling" if all(a > b for a, b in pairs) else "mixed"

    return {"raw": trend(table["raw"]), "scaled": trend(table["scaled"])}

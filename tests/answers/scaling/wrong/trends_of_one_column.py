"""Copy and paste: the scaled word comes from the raw column.

Loses: test-trends
Diagnosis: both words come from one and the same column
"""


def trend(c):
    if max(c) <= 1.25 * min(c):
        return "flat"
    if all(a < b for a, b in zip(c, c[1:])):
        return "rising"
    if all(a > b for a, b in zip(c, c[1:])):
        return "falling"
    return "mixed"


def trends(table):
    raw = trend(table["raw"])
    scaled = trend(table["raw"])
    return {"raw": raw, "scaled": scaled}

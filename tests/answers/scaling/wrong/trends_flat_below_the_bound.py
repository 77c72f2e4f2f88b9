"""At most 1.25 times read as less than 1.25 times.

Loses: test-trends
Diagnosis: 1.25 times itself is no longer counted as flat
"""


def trends(table):
    def trend(column):
        if max(column) < 1.25 * min(column):
            return "flat"
        steps = [after - before for before, after in zip(column, column[1:])]
        if min(steps) > 0:
            return "rising"
        return "falling" if max(steps) < 0 else "mixed"

    return {"raw": trend(table["raw"]), "scaled": trend(table["scaled"])}

"""The columns are handed back as they came.

Loses: test-trends
Diagnosis: the answer to part 2 stands in part 3
"""


def trends(table):
    return {"raw": table["raw"], "scaled": table["scaled"]}

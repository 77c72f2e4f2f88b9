"""The words that fit the table of the text.

Loses: test-trends
"""


def trends(table):
    return {"raw": "rising", "scaled": "flat"}

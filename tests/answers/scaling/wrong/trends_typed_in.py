"""The words that fit the table of the text.

Loses: test-trends
Diagnosis: the two words are typed in instead of found from the table
"""


def trends(table):
    return {"raw": "rising", "scaled": "flat"}

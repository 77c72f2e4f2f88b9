"""The same weight for every key.

Loses: test-partial-rows, test-full-rows
Diagnosis: every key gets the same weight, masked out or not
"""


def fill_report(logits, rows, fills):
    n = len(logits)
    return {row: {fill: [1 / n] * n for fill in fills} for row in rows}

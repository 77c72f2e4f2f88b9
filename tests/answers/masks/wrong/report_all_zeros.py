"""Zero everywhere.

Loses: test-partial-rows, test-full-rows
Diagnosis: every weight is 0, whatever is handed in
"""


def fill_report(logits, rows, fills):
    return {row: {fill: [0.0 for _ in logits] for fill in fills} for row in rows}

"""The outer dict begins in the outer loop.

Loses: test-partial-rows
Diagnosis: the report is made anew for every row, so that only the last one is left in it
"""


def fill_report(logits, rows, fills):
    for row, masked_out in rows.items():
        report = {}
        report[row] = {}
        for fill, value in fills.items():
            filled = torch.tensor(logits).masked_fill(torch.tensor(masked_out), value)
            report[row][fill] = filled.softmax(-1).tolist()
    return report

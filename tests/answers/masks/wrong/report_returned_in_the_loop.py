"""The return stands inside the loop, so only the first row is reported.

Loses: test-partial-rows
Diagnosis: `return` stands inside a loop
"""

import torch


def fill_report(logits, rows, fills):
    report = {}
    for row, masked_out in rows.items():
        report[row] = {}
        for fill, value in fills.items():
            filled = torch.tensor(logits).masked_fill(torch.tensor(masked_out), value)
            report[row][fill] = filled.softmax(-1).tolist()
        return report

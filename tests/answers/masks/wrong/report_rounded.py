"""Rounded to three digits.

Loses: test-partial-rows, test-full-rows
Diagnosis: the weights are rounded
"""


def fill_report(logits, rows, fills):
    report = {}
    for row, mask in rows.items():
        report[row] = {}
        for name, fill in fills.items():
            weights = torch.tensor(logits).masked_fill(torch.tensor(mask), fill).softmax(-1)
            report[row][name] = [round(w.item(), 3) for w in weights]
    return report

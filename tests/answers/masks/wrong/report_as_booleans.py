"""Not the weights but whether they are above 0.

Loses: test-partial-rows, test-full-rows
Diagnosis: it is reported which weights are above 0 instead of the weights
"""


def fill_report(logits, rows, fills):
    report = {}
    for row, m in rows.items():
        report[row] = {}
        for fill, v in fills.items():
            w = torch.tensor(logits).masked_fill(torch.tensor(m), v).softmax(-1)
            report[row][fill] = (w > 0).tolist()
    return report

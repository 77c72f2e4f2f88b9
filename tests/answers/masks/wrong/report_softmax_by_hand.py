"""Softmax by hand, and every exponential of a full row is 0.

Loses: test-full-rows
Diagnosis: softmax is written out, and all its exponentials come out as 0
"""


def fill_report(logits, rows, fills):
    report = {}
    for row, masked_out in rows.items():
        report[row] = {}
        for fill, value in fills.items():
            e = torch.exp(torch.tensor(logits).masked_fill(torch.tensor(masked_out), value))
            report[row][fill] = (e / e.sum()).tolist()
    return report

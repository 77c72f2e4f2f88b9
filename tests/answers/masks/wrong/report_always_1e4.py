"""−1e4 whatever the fill.

Loses: test-partial-rows, test-full-rows
Diagnosis: one and the same finite number is filled in, whatever fill is handed in
"""


def fill_report(logits, rows, fills):
    report = {}
    for row, masked_out in rows.items():
        report[row] = {}
        m = torch.tensor(masked_out)
        for fill, value in fills.items():
            x = torch.tensor(logits)
            w = x.masked_fill(m, -1e4).softmax(-1)
            report[row][fill] = w.tolist()
    return report

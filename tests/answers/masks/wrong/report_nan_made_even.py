"""NaN replaced by even weights in the report.

Loses: test-full-rows
Diagnosis: NaN is repaired in the report
"""


def fill_report(logits, rows, fills):
    report = {}
    for row, masked_out in rows.items():
        report[row] = {}
        m = torch.tensor(masked_out)
        for fill, value in fills.items():
            x = torch.tensor(logits)
            w = x.masked_fill(m, value).softmax(-1).nan_to_num(1 / len(logits))
            report[row][fill] = w.tolist()
    return report

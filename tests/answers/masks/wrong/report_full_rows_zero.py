"""A full row is given zeros.

Loses: test-full-rows
Diagnosis: a full row gets 0 everywhere, whatever the fill
"""


def fill_report(logits, rows, fills):
    report = {}
    for row, masked_out in rows.items():
        report[row] = {}
        m = torch.tensor(masked_out)
        for fill, value in fills.items():
            x = torch.tensor(logits)
            w = torch.zeros(len(logits)) if m.all() else x.masked_fill(m, value).softmax(-1)
            report[row][fill] = w.tolist()
    return report

"""A mask of 1 and 0 between brackets: positions, not a mask.

Loses: test-partial-rows, test-full-rows
Diagnosis: the mask is read as positions, 0 and 1, instead of as booleans
"""


def fill_report(logits, rows, fills):
    report = {}
    for row, masked_out in rows.items():
        report[row] = {}
        m = torch.tensor(masked_out)
        for fill, value in fills.items():
            x = torch.tensor(logits)
            x[m.long()] = value
            w = x.softmax(-1)
            report[row][fill] = w.tolist()
    return report

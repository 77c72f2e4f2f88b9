"""A whole mask asked whether it is true.

Loses: test-partial-rows, test-full-rows
Says: Boolean value of Tensor with more than one value is ambiguous
"""


def fill_report(logits, rows, fills):
    report = {}
    for row in rows:
        report[row] = {}
        m = torch.tensor(rows[row])
        for fill in fills:
            x = torch.tensor(logits)
            if m:
                x = torch.full_like(x, fills[fill])
            report[row][fill] = x.softmax(-1).tolist()
    return report

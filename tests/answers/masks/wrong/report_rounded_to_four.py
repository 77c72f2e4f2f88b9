"""Rounded to four digits, which the tests that everybody sees do not notice.

Loses: test-partial-rows
Diagnosis: the weights are rounded
"""


def fill_report(logits, rows, fills):
    x = torch.tensor(logits)
    report = {}
    for row in rows:
        report[row] = {}
        for fill in fills:
            w = torch.softmax(x.masked_fill(torch.tensor(rows[row]), fills[fill]), 0)
            report[row][fill] = torch.round(w, decimals=4).tolist()
    return report

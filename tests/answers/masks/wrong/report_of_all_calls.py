"""The report is a default argument, which all calls share: the names of earlier calls stay in it.

Loses: test-partial-rows
Says: the report has names that were not handed in this time
"""


def fill_report(logits, rows, fills, report={}):
    x = torch.tensor(logits)
    for r in rows:
        report.setdefault(r, {})
        for f in fills:
            report[r][f] = torch.softmax(x.masked_fill(torch.tensor(rows[r]), fills[f]), 0).tolist()
    return report

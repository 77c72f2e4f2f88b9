"""One flat dict with a pair of names as key.

Loses: test-partial-rows, test-full-rows
Diagnosis: each pair of names is one key of a flat dict
"""


def fill_report(logits, rows, fills):
    report = {}
    for row in rows:
        for fill in fills:
            scores = torch.tensor(logits).masked_fill(torch.tensor(rows[row]), fills[fill])
            report[row, fill] = scores.softmax(dim=-1).tolist()
    return report

"""Softmax first, and the fill put into the weights.

Loses: test-partial-rows, test-full-rows
Diagnosis: the fill is put into the weights after softmax instead of into the scores before it
"""


def fill_report(logits, rows, fills):
    weights = torch.softmax(torch.tensor(logits), dim=-1)
    report = {}
    for row in rows:
        report[row] = {}
        for fill in fills:
            report[row][fill] = weights.masked_fill(torch.tensor(rows[row]), fills[fill]).tolist()
    return report

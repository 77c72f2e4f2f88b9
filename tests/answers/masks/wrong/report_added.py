"""The fill added to the score instead of replacing it.

Loses: test-partial-rows, test-full-rows
Diagnosis: the fill is added to the score instead of replacing it
"""


def fill_report(logits, rows, fills):
    report = {r: {} for r in rows}
    for r, hidden in rows.items():
        for f, fill in fills.items():
            bias = torch.zeros(len(logits)).masked_fill(torch.tensor(hidden), fill)
            report[r][f] = (torch.tensor(logits) + bias).softmax(-1).tolist()
    return report

"""A dict of one entry for every row, each over the one before; the weights are tensors.

Loses: test-partial-rows
Diagnosis: the report is made anew for every row, so that only the last one is left in it
"""


def fill_report(logits, rows, fills):
    scores = torch.tensor(logits)
    for row in rows:
        mask = torch.tensor(rows[row])
        report = {row: {fill: torch.softmax(scores.masked_fill(mask, v), -1) for fill, v in fills.items()}}
    return report

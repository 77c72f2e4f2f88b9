"""masked_fill returns a new tensor, and nobody keeps it.

Loses: test-partial-rows, test-full-rows
Diagnosis: the mask has no effect, as when the result of masked_fill is dropped
"""


def fill_report(logits, rows, fills):
    report = {}
    for row, m in rows.items():
        report[row] = {}
        for fill, v in fills.items():
            x = torch.tensor(logits)
            x.masked_fill(torch.tensor(m), v)
            report[row][fill] = x.softmax(-1).tolist()
    return report

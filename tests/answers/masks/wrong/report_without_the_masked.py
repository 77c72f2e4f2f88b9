"""Only the keys that are left are in the row.

Loses: test-partial-rows, test-full-rows
Diagnosis: keys that are masked out are left out of the row
"""


def fill_report(logits, rows, fills):
    report = {}
    for row, masked_out in rows.items():
        report[row] = {}
        for fill in fills:
            left = [x for x, out in zip(logits, masked_out) if not out]
            report[row][fill] = torch.tensor(left).softmax(0).tolist()
    return report

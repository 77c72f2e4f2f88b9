"""The name of the fill for its number.

Loses: test-partial-rows, test-full-rows
Says: masked_fill() received an invalid combination of arguments
"""


def fill_report(logits, rows, fills):
    report = {}
    for row, mask in rows.items():
        report[row] = {}
        for fill in fills:
            report[row][fill] = torch.tensor(logits).masked_fill(torch.tensor(mask), fill).softmax(-1).tolist()
    return report

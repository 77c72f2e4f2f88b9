"""The mask handed on as the list it is.

Loses: test-partial-rows, test-full-rows
Says: masked_fill() received an invalid combination of arguments
"""


def fill_report(logits, rows, fills):
    report = {}
    for row in rows:
        report[row] = {}
        for fill in fills:
            report[row][fill] = torch.tensor(logits).masked_fill(rows[row], fills[fill]).softmax(-1).tolist()
    return report

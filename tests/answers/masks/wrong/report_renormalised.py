"""Softmax over all, masked weights struck out, the rest made to sum to 1.

Loses: test-partial-rows, test-full-rows
Diagnosis: the mask comes after softmax or its exponentials, and the weights are divided by what is left of their sum
"""


def fill_report(logits, rows, fills):
    report = {}
    for row, masked_out in rows.items():
        report[row] = {}
        m = torch.tensor(masked_out)
        for fill, value in fills.items():
            x = torch.tensor(logits)
            w = x.softmax(-1) * ~m
            w = w / w.sum()
            report[row][fill] = w.tolist()
    return report

"""Loops over four logits, as in the text.

Loses: test-partial-rows, test-full-rows
Diagnosis: a row is taken to have four logits, however many are handed in
"""


def fill_report(logits, rows, fills):
    report = {}
    for row, masked_out in rows.items():
        report[row] = {}
        for fill, value in fills.items():
            filled = [value if masked_out[i] else logits[i] for i in range(4)]
            report[row][fill] = torch.tensor(filled).softmax(-1).tolist()
    return report

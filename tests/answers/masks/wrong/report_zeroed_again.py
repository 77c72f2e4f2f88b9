"""Filled, softmax, and the masked weights set to 0 after all.

Loses: test-partial-rows, test-full-rows
Diagnosis: the weights of masked keys are set to 0 after softmax too
"""


def fill_report(logits, rows, fills):
    report = {}
    for row, masked_out in rows.items():
        report[row] = {}
        m = torch.tensor(masked_out)
        for fill, value in fills.items():
            x = torch.tensor(logits)
            w = x.masked_fill(m, value).softmax(-1)
            w = w.masked_fill(m, 0.0)
            report[row][fill] = w.tolist()
    return report

"""Scores times one minus the mask, plus fill times the mask: 0 · (−inf) is NaN where nothing is masked.

Loses: test-partial-rows
Diagnosis: mask and fill are multiplied, and 0 · (−inf) is NaN
"""


def fill_report(logits, rows, fills):
    logits = torch.tensor(logits)
    report = {}
    for name, mask in rows.items():
        m = torch.tensor(mask).float()
        report[name] = {}
        for label, fill in fills.items():
            report[name][label] = torch.softmax(logits * (1 - m) + fill * m, -1).tolist()
    return report

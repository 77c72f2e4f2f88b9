"""Softmax by hand in Python, which raises where all exponentials of a full row are 0.

Loses: test-full-rows
Diagnosis: softmax is written out, and all its exponentials come out as 0
"""


def fill_report(logits, rows, fills):
    report = {}
    for row, masked_out in rows.items():
        report[row] = {}
        for fill, value in fills.items():
            e = [math.exp(value if out else score) for score, out in zip(logits, masked_out)]
            report[row][fill] = [one / sum(e) for one in e]
    return report

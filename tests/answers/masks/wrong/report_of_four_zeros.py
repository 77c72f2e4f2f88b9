"""The logits of the text typed in for those handed in.

Loses: test-partial-rows, test-full-rows
Diagnosis: the four logits of 0 are typed in
"""


def fill_report(logits, rows, fills):
    scores = torch.zeros(4)
    report = {}
    for row, masked_out in rows.items():
        report[row] = {}
        for fill, value in fills.items():
            report[row][fill] = scores.masked_fill(torch.tensor(masked_out), value).softmax(-1).tolist()
    return report

"""The scores multiplied by what the mask leaves; no fill comes into it.

Loses: test-partial-rows, test-full-rows
Diagnosis: masked scores are set to 0 before softmax, whatever fill is handed in
"""


def fill_report(logits, rows, fills):
    x = torch.tensor(logits)
    report = {}
    for row, masked_out in rows.items():
        report[row] = {}
        for fill, value in fills.items():
            left = x * (1 - torch.tensor(masked_out, dtype=torch.float))
            report[row][fill] = torch.softmax(left, dim=-1).tolist()
    return report

"""The mask as 1 and 0, which masked_fill refuses.

Loses: test-partial-rows, test-full-rows
Says: masked_fill_ only supports boolean masks
"""


def fill_report(logits, rows, fills):
    x = torch.tensor(logits)
    report = {}
    for row, masked_out in rows.items():
        mask = torch.tensor(masked_out).int()
        report[row] = {fill: x.masked_fill(mask, value).softmax(-1).tolist() for fill, value in fills.items()}
    return report

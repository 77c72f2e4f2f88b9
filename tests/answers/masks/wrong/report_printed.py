"""Prints and returns nothing.

Loses: test-partial-rows, test-full-rows
Diagnosis: the result is not returned, whether it is printed or not
"""


def fill_report(logits, rows, fills):
    for row, masked_out in rows.items():
        for fill, value in fills.items():
            weights = torch.tensor(logits).masked_fill(torch.tensor(masked_out), value).softmax(dim=-1)
            print(row, fill, weights.tolist())

"""Fills outside, rows inside.

Loses: test-partial-rows, test-full-rows
Diagnosis: the fills are the outer dict and the rows the inner ones
"""


def fill_report(logits, rows, fills):
    scores = torch.tensor(logits)
    return {
        fill: {row: scores.masked_fill(torch.tensor(mask), value).softmax(-1).tolist() for row, mask in rows.items()}
        for fill, value in fills.items()
    }

"""Weights formatted as text.

Loses: test-partial-rows, test-full-rows
Diagnosis: the weights are turned into text
"""


def fill_report(logits, rows, fills):
    out = {}
    for row, m in rows.items():
        out[row] = {}
        for fill, v in fills.items():
            w = torch.tensor(logits).masked_fill(torch.tensor(m), v).softmax(-1)
            out[row][fill] = [f"{x:.2f}" for x in w.tolist()]
    return out

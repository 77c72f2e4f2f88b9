"""The weights filled with 0 after softmax.

Loses: test-partial-rows, test-full-rows
Diagnosis: weights are set to 0 after softmax instead of scores being filled before it
"""


def fill_report(logits, rows, fills):
    s = torch.tensor(logits)
    return {
        r: {f: s.softmax(-1).masked_fill(torch.tensor(m), 0.0).tolist() for f, v in fills.items()}
        for r, m in rows.items()
    }

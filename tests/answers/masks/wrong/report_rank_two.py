"""Lists within lists of weights.

Loses: test-partial-rows, test-full-rows
Diagnosis: each row of weights is wrapped in another list
"""


def fill_report(logits, rows, fills):
    s = torch.tensor([logits])
    return {
        r: {f: s.masked_fill(torch.tensor(m), v).softmax(-1).tolist() for f, v in fills.items()}
        for r, m in rows.items()
    }

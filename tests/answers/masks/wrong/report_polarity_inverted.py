"""True taken for may attend in part 1.

Loses: test-partial-rows, test-full-rows
Diagnosis: True is read as may attend where it means masked out
"""


def fill_report(logits, rows, fills):
    s = torch.tensor(logits)
    return {
        r: {f: s.masked_fill(~torch.tensor(m), v).softmax(-1).tolist() for f, v in fills.items()}
        for r, m in rows.items()
    }

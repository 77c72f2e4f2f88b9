"""−inf whatever the fill.

Loses: test-partial-rows, test-full-rows
Diagnosis: −inf is filled in, whatever fill is handed in
"""


def fill_report(logits, rows, fills):
    s = torch.tensor(logits)
    return {
        r: {f: s.masked_fill(torch.tensor(m), -math.inf).softmax(-1).tolist() for f, v in fills.items()}
        for r, m in rows.items()
    }

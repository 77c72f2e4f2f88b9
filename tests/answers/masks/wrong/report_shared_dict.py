"""One dict shared by all rows.

Loses: test-partial-rows
Diagnosis: all rows share one dict of fills
"""


def fill_report(logits, rows, fills):
    s = torch.tensor(logits)
    out, inner = {}, {}
    for r, m in rows.items():
        for f, v in fills.items():
            inner[f] = s.masked_fill(torch.tensor(m), v).softmax(-1).tolist()
        out[r] = inner
    return out

"""One fill upon the other.

Loses: test-partial-rows
Diagnosis: a fill stays in the scores for the masks after it
"""


def fill_report(logits, rows, fills):
    s = torch.tensor(logits)
    out = {}
    for r, m in rows.items():
        out[r] = {}
        for f, v in fills.items():
            s = s.masked_fill(torch.tensor(m), v)
            out[r][f] = s.softmax(-1).tolist()
    return out

"""Full rows are looked for along the first axis only.

Loses: test-full-row-policy
Diagnosis: full rows are looked for along the first axis only
"""


def masked_softmax(scores, mask):
    mask = mask.expand_as(scores)
    w = scores.masked_fill(~mask, -math.inf).softmax(-1)
    rows = []
    for row, allowed in zip(w, mask):
        rows.append(row if allowed.any() else row.masked_fill(~allowed, 0.0))
    return torch.stack(rows)

"""The fill only bounds the masked score from above.

Loses: test-partial-rows, test-full-rows
Diagnosis: the fill only bounds the masked scores from above instead of replacing them
"""


def fill_report(logits, rows, fills):
    out = {}
    for r, masked_out in rows.items():
        out[r] = {}
        for f, fill in fills.items():
            ceiling = torch.where(torch.tensor(masked_out), torch.tensor(float(fill)), torch.tensor(torch.inf))
            out[r][f] = torch.minimum(torch.tensor(logits), ceiling).softmax(0).tolist()
    return out

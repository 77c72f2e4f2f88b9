"""The inner dict begins in the inner loop.

Loses: test-partial-rows, test-full-rows
Diagnosis: the inner dict is made anew for every fill, so that only the last one is left in it
"""


def fill_report(logits, rows, fills):
    r = {}
    for n, m in rows.items():
        for f, v in fills.items():
            r[n] = {}
            r[n][f] = torch.tensor(logits).masked_fill(torch.tensor(m), v).softmax(-1).tolist()
    return r

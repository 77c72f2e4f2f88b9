"""The return stands inside the inner loop, so only one fill is reported.

Loses: test-partial-rows, test-full-rows
Diagnosis: `return` stands inside a loop
"""


def fill_report(logits, rows, fills):
    r = {}
    for n, m in rows.items():
        r[n] = {}
        for f, v in fills.items():
            r[n][f] = torch.tensor(logits).masked_fill(torch.tensor(m), v).softmax(-1).tolist()
            return r

"""The return stands inside the inner loop, so only one fill is reported.

Loses: test-partial-rows, test-full-rows
Diagnosis: `return` stands inside a loop
"""


def fill_report(logits, rows, fills):
    d = {}
    for row in rows:
        d[row] = {}
        for fill in fills:
            x = torch.tensor(logits)
            x = x.masked_fill(torch.tensor(rows[row]), fills[fill])
            d[row][fill] = list(torch.softmax(x, dim=-1))
            return d

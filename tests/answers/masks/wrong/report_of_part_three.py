"""The masked softmax of part 3 in the report: no fill comes into it.

Loses: test-partial-rows, test-full-rows
Diagnosis: the answer to another part is returned
"""


def fill_report(logits, rows, fills):
    scores = torch.tensor(logits)
    report = {}
    for row, masked_out in rows.items():
        mask = ~torch.tensor(masked_out)
        weights = scores.masked_fill(~mask, -math.inf).softmax(-1).masked_fill(~mask, 0.0)
        report[row] = {fill: weights.tolist() for fill in fills}
    return report

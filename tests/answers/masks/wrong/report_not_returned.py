"""Everything is worked out, and the return forgotten.

Loses: test-partial-rows, test-full-rows
Diagnosis: the result is not returned, whether it is printed or not
"""


def fill_report(logits, rows, fills):
    report = {}
    for row in rows:
        report[row] = {}
        for fill in fills:
            scores = torch.tensor(logits)
            scores[torch.tensor(rows[row])] = fills[fill]
            report[row][fill] = scores.softmax(0).tolist()

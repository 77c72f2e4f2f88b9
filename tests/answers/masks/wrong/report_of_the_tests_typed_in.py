"""The results of the visible tests typed in.

Loses: test-partial-rows, test-full-rows
Diagnosis: the results are typed in
"""


def fill_report(logits, rows, fills):
    nan = float("nan")
    known = {
        (False, True, True, True): [1.0, 0.0, 0.0, 0.0],
        (False, False, True): [0.2, 0.6, 0.2] if 0.0 in fills.values() else [0.25, 0.75, 0.0],
        (True, False, False): [0.0, 0.5, 0.5],
        (True, True, True): [1 / 3, 1 / 3, 1 / 3],
    }
    report = {}
    for row, mask in rows.items():
        report[row] = {}
        for fill, value in fills.items():
            if mask == [True] * 4:
                report[row][fill] = [nan] * 4 if value == -math.inf else [0.25] * 4
            else:
                report[row][fill] = known.get(tuple(mask), [0.0] * len(mask))
    return report

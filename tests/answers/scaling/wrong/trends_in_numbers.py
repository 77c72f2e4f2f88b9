"""Codes instead of words: 0, 1, −1, and 2 for mixed.

Loses: test-trends
Diagnosis: numbers are returned instead of words
"""


def trends(table):
    codes = []
    for name in ("raw", "scaled"):
        x = torch.tensor(table[name])
        steps = x.diff()
        if x.max() <= 1.25 * x.min():
            codes.append(0)
        elif (steps > 0).all():
            codes.append(1)
        elif (steps < 0).all():
            codes.append(-1)
        else:
            codes.append(2)
    return dict(zip(("raw", "scaled"), codes))

"""`all()` of the steps, and only then the comparison.

Loses: test-trends
Diagnosis: `all()` is taken of the steps themselves and compared afterwards: it is True where no step is 0, whichever way the steps go
"""


def trends(table):
    words = {}
    for name in ("raw", "scaled"):
        c = torch.tensor(table[name])
        steps = torch.diff(c)
        if c.max() <= 1.25 * c.min():
            words[name] = "flat"
        elif steps.all() > 0:
            words[name] = "rising"
        elif steps.all() < 0:
            words[name] = "falling"
        else:
            words[name] = "mixed"
    return words

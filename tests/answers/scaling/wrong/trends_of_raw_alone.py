"""One word, without a dict around it.

Loses: test-trends
Diagnosis: one word is returned instead of a dict of two
"""


def trends(table):
    c = table["raw"]
    if max(c) <= 1.25 * min(c):
        return "flat"
    if all(a < b for a, b in zip(c, c[1:])):
        return "rising"
    if all(a > b for a, b in zip(c, c[1:])):
        return "falling"
    return "mixed"

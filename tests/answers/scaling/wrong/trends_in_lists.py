"""Each word in a list.

Loses: test-trends
Diagnosis: each word is wrapped in a list or array
"""


def trends(table):
    found = {"raw": [], "scaled": []}
    for name in found:
        c = table[name]
        if max(c) <= 1.25 * min(c):
            found[name].append("flat")
        elif all(a < b for a, b in zip(c, c[1:])):
            found[name].append("rising")
        elif all(a > b for a, b in zip(c, c[1:])):
            found[name].append("falling")
        else:
            found[name].append("mixed")
    return found

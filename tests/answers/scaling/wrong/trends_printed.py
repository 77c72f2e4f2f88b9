"""Said on the screen, not to the caller.

Loses: test-trends
Diagnosis: nothing is returned (printing a result does not return it)
"""


def trends(table):
    for name in ("raw", "scaled"):
        c = table[name]
        if max(c) <= 1.25 * min(c):
            print(name, "flat")
        elif all(a < b for a, b in zip(c, c[1:])):
            print(name, "rising")
        elif all(a > b for a, b in zip(c, c[1:])):
            print(name, "falling")
        else:
            print(name, "mixed")

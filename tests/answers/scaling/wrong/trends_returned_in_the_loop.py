"""The return is indented once too often.

Loses: test-trends
Diagnosis: the function returns inside the loop, with its first word alone
"""


def trends(table):
    words = {}
    for name in ("raw", "scaled"):
        c = table[name]
        rising = all(a < b for a, b in zip(c, c[1:]))
        falling = all(a > b for a, b in zip(c, c[1:]))
        words[name] = "flat" if max(c) <= 1.25 * min(c) else "rising" if rising else "falling" if falling else "mixed"
        return words

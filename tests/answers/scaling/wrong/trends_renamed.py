"""The function goes by a name of the student's own.

Loses: test-trends
Diagnosis: the function has another name, or the cell that defines it has not run to its end
"""


# %% trends
def trend(table):
    def word(c):
        if max(c) <= 1.25 * min(c):
            return "flat"
        if all(a < b for a, b in zip(c, c[1:])):
            return "rising"
        return "falling" if all(a > b for a, b in zip(c, c[1:])) else "mixed"

    return {name: word(table[name]) for name in ("raw", "scaled")}


# %% show-trends
print(trend({"raw": [1, 2], "scaled": [1, 1]}))

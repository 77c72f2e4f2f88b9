"""The words with capital letters.

Loses: test-trends
Diagnosis: another spelling of the words is returned
"""


def trends(table):
    def trend(c):
        if max(c) <= 1.25 * min(c):
            return "Flat"
        if all(a < b for a, b in zip(c, c[1:])):
            return "Rising"
        if all(a > b for a, b in zip(c, c[1:])):
            return "Falling"
        return "Mixed"

    return {"raw": trend(table["raw"]), "scaled": trend(table["scaled"])}

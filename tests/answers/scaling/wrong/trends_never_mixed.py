"""What does not rise is said to fall.

Loses: test-trends
Diagnosis: mixed is never returned: whatever is neither flat nor rising is called falling
"""


def trends(table):
    def word(c):
        if max(c) <= 1.25 * min(c):
            return "flat"
        if all(a < b for a, b in zip(c, c[1:])):
            return "rising"
        else:
            return "falling"

    return {"raw": word(table["raw"]), "scaled": word(table["scaled"])}

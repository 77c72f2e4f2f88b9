"""Sorts the rows by their first entry.

Loses: test-unshuffled, test-comparison, test-positions, test-tokens-kept
Diagnosis: the rows are sorted by what they hold
"""


def unshuffled(y, permutation):
    return y[y[:, 0].argsort()]

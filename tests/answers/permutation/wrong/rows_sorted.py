"""Sorts the rows by their first entry.

Loses: test-unshuffled, test-comparison, test-positions, test-tokens-kept
"""


def unshuffled(y, permutation):
    return y[y[:, 0].argsort()]

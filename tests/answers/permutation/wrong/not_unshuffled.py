"""Leaves the rows where they are.

Loses: test-unshuffled, test-comparison, test-positions, test-tokens-kept
"""


def unshuffled(y, permutation):
    return y.clone()

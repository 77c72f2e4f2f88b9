"""Shuffles once more, by the permutation instead of its inverse.

Loses: test-unshuffled, test-comparison, test-positions, test-tokens-kept
"""


def unshuffled(y, permutation):
    return y[permutation]

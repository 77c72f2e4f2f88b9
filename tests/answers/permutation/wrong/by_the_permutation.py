"""Shuffles once more, by the permutation instead of its inverse.

Loses: test-unshuffled, test-comparison, test-positions, test-tokens-kept
Diagnosis: the rows are shuffled once more instead of back
"""


def unshuffled(y, permutation):
    return y[permutation]

"""Compares shapes.

Loses: test-comparison, test-positions
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return y.shape == unshuffled(y_shuffled, permutation).shape

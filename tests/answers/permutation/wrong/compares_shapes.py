"""Compares shapes.

Loses: test-comparison, test-positions
Diagnosis: the answer is True whatever the rows hold
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return y.shape == unshuffled(y_shuffled, permutation).shape

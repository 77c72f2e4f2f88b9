"""Counts from 1.

Loses: test-comparison
Diagnosis: the first row is not compared
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    z = unshuffled(y_shuffled, permutation)
    for i in range(1, len(y)):
        if (y[i] - z[i]).abs().max() > 1e-5:
            return False
    return True

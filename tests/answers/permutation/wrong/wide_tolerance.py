"""A tolerance of 1.

Loses: test-comparison, test-positions
Diagnosis: the tolerance is wider than 1e-5
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return bool((y - unshuffled(y_shuffled, permutation)).abs().max() <= 1)

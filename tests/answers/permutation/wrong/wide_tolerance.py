"""A tolerance of 1.

Loses: test-comparison, test-positions
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return bool((y - unshuffled(y_shuffled, permutation)).abs().max() <= 1)

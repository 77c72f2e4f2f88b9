"""Always False.

Loses: test-comparison, test-positions
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return False

"""Always False.

Loses: test-comparison, test-positions
Diagnosis: the answer is always False
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return False

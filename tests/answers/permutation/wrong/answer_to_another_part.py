"""The unshuffled rows instead of the comparison.

Loses: test-comparison, test-positions
Diagnosis: the unshuffled rows are returned instead of a comparison
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return unshuffled(y_shuffled, permutation)

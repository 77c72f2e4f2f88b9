"""The largest difference without its absolute value.

Loses: test-comparison
Diagnosis: differences of one sign are overlooked
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return bool((unshuffled(y_shuffled, permutation) - y).max() <= 1e-5)

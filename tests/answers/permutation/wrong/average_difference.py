"""The average difference instead of the largest.

Loses: test-comparison
Diagnosis: only the average of the differences counts
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return bool((unshuffled(y_shuffled, permutation) - y).abs().mean() <= 1e-5)

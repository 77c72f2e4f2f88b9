"""Unshuffles what is unshuffled already.

Loses: test-comparison, test-positions
Diagnosis: y_shuffled is unshuffled twice, or y is shuffled besides
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    y_shuffled = unshuffled(y_shuffled, permutation)
    return bool((y - unshuffled(y_shuffled, permutation)).abs().max() <= 1e-5)

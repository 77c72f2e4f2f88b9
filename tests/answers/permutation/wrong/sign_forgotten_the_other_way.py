"""The smallest difference where the largest was meant, without its absolute value.

Loses: test-comparison
Diagnosis: differences of one sign are overlooked
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    gap = (y - unshuffled(y_shuffled, permutation)).max()
    return gap.item() < 1e-5

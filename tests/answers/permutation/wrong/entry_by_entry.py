"""A tensor of booleans, one for each entry.

Loses: test-comparison, test-positions
Diagnosis: there is an answer for each entry instead of one for all
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return (y - unshuffled(y_shuffled, permutation)).abs() <= 1e-5

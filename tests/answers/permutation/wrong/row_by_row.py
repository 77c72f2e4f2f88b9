"""One answer for each row.

Loses: test-comparison, test-positions
Diagnosis: there is an answer for each row instead of one for all
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return (y - unshuffled(y_shuffled, permutation)).abs().amax(dim=1) <= 1e-5

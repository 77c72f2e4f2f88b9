"""`if` asks a whole table of equal or not.

Loses: test-comparison, test-positions
Diagnosis: a whole table, or a row of it, is asked for a single yes or no
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    if y == unshuffled(y_shuffled, permutation):
        return True
    return False

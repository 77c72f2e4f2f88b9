"""`if` asks a whole row.

Loses: test-comparison, test-positions
Diagnosis: a whole table, or a row of it, is asked for a single yes or no
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    for row, other in zip(y, unshuffled(y_shuffled, permutation)):
        if abs(row - other) > 1e-5:
            return False
    return True

"""`if` asks a whole NumPy array.

Loses: test-comparison, test-positions
Diagnosis: a whole table, or a row of it, is asked for a single yes or no
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    difference = y.numpy() - unshuffled(y_shuffled, permutation).numpy()
    if abs(difference) <= 1e-5:
        return True
    return False

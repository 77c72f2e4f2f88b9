"""Stops a row too early.

Loses: test-comparison
Diagnosis: the last row is not compared
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    z = unshuffled(y_shuffled, permutation)
    same = True
    for i in range(len(y) - 1):
        same = same and bool(torch.all(torch.abs(y[i] - z[i]) <= 1e-5))
    return same

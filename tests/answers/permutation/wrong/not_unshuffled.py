"""Leaves the rows where they are.

Loses: test-unshuffled, test-comparison, test-positions, test-tokens-kept
Diagnosis: the rows are left in shuffled order
"""


def unshuffled(y, permutation):
    return y.clone()

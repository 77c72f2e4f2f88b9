"""Compares the outputs as they stand.

Loses: test-comparison, test-positions
Diagnosis: the rows are left in shuffled order
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return torch.allclose(y, y_shuffled, atol=1e-5)

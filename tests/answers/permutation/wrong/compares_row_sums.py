"""Compares the sum of each row.

Loses: test-comparison
Diagnosis: the sums of the rows are compared instead of their entries
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return torch.allclose(y.sum(1), unshuffled(y_shuffled, permutation).sum(1), atol=1e-4)

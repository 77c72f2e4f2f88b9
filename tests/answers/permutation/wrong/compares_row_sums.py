"""Compares the sum of each row.

Loses: test-comparison
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return torch.allclose(y.sum(1), unshuffled(y_shuffled, permutation).sum(1), atol=1e-4)

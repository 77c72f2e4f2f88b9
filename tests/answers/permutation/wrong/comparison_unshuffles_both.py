"""Unshuffles y as well.

Loses: test-comparison, test-positions
Diagnosis: y and y_shuffled are compared in different orders, as when neither is unshuffled, or both are
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return torch.allclose(unshuffled(y, permutation), unshuffled(y_shuffled, permutation), atol=1e-5)

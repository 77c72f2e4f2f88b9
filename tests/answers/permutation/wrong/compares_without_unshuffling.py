"""Compares the outputs as they stand.

Loses: test-comparison, test-positions
Diagnosis: y and y_shuffled are compared in different orders, as when neither is unshuffled, or both are
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return torch.allclose(y, y_shuffled, atol=1e-5)

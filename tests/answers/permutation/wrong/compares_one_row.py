"""Compares the first row alone.

Loses: test-comparison
Diagnosis: only the first row is compared
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return torch.allclose(y[0], unshuffled(y_shuffled, permutation)[0], atol=1e-5)

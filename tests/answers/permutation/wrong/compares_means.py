"""Compares the average of all tokens.

Loses: test-comparison
Diagnosis: averages are compared instead of entries
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return torch.allclose(y.mean(0), y_shuffled.mean(0), atol=1e-5)

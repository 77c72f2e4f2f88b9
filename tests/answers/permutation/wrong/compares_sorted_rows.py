"""Compares the columns sorted.

Loses: test-comparison
Diagnosis: the entries are sorted before they are compared
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return torch.allclose(y.sort(dim=0).values, y_shuffled.sort(dim=0).values, atol=1e-5)

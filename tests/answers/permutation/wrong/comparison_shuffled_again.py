"""Compares after shuffling by the permutation once more.

Loses: test-comparison, test-positions
Diagnosis: y_shuffled is shuffled once more instead of back, or y is unshuffled in its place
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return torch.allclose(y, y_shuffled[permutation], atol=1e-5)

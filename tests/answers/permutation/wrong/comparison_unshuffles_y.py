"""Unshuffles y in place of y_shuffled.

Loses: test-comparison, test-positions
Diagnosis: y_shuffled is shuffled once more instead of back, or y is unshuffled in its place
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return torch.allclose(unshuffled(y, permutation), y_shuffled, atol=1e-5)

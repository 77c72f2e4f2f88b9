"""Unshuffles without saying by which permutation.

Loses: test-comparison, test-positions
Says: missing 1 required positional argument
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return torch.allclose(y, unshuffled(y_shuffled), atol=1e-5)

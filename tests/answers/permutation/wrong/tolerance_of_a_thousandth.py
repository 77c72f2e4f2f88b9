"""A tolerance of 1e-3.

Loses: test-comparison
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return torch.allclose(y, unshuffled(y_shuffled, permutation), atol=1e-3)

"""Exactly equal or nothing.

Loses: test-comparison, test-positions
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return torch.equal(y, unshuffled(y_shuffled, permutation))

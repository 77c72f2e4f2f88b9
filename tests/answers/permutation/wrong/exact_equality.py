"""Exactly equal or nothing.

Loses: test-comparison, test-positions
Diagnosis: the outputs have to be exactly equal
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return torch.equal(y, unshuffled(y_shuffled, permutation))

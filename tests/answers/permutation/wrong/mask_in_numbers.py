"""A mask of 0 and 1.

Loses: test-moved-along
"""


def moved_along(mask, permutation):
    return mask[permutation][:, permutation].float()

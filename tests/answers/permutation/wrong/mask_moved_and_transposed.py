"""Queries and keys exchanged on the way.

Loses: test-moved-along
"""


def moved_along(mask, permutation):
    return mask[permutation][:, permutation].T

"""A list of lists.

Loses: test-moved-along
Diagnosis: a list is returned instead of a tensor
"""


def moved_along(mask, permutation):
    return [[bool(mask[i, j]) for j in permutation] for i in permutation]

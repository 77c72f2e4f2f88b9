"""Moves the columns alone.

Loses: test-moved-along
Diagnosis: the columns of the mask are moved and the rows are not
"""


def moved_along(mask, permutation):
    return mask[:, permutation]

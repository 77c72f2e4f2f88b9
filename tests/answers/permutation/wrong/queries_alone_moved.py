"""Moves the rows alone.

Loses: test-moved-along
Diagnosis: the rows of the mask are moved and the columns are not
"""


def moved_along(mask, permutation):
    return mask[permutation]

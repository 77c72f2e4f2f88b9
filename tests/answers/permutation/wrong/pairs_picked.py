"""Picks pairs instead of rows and columns.

Loses: test-moved-along
Diagnosis: single entries of the mask are picked instead of rows and columns
"""


def moved_along(mask, permutation):
    return mask[permutation, permutation]

"""Queries and keys exchanged on the way.

Loses: test-moved-along
Diagnosis: queries and keys are exchanged in the mask
"""


def moved_along(mask, permutation):
    return mask[permutation][:, permutation].T

"""Leaves the mask as it is.

Loses: test-moved-along
Diagnosis: the mask is left as it is
"""


def moved_along(mask, permutation):
    return mask.clone()

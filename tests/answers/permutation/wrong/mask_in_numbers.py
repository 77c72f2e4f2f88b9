"""A mask of 0 and 1.

Loses: test-moved-along
Diagnosis: the mask holds numbers instead of True and False
"""


def moved_along(mask, permutation):
    return mask[permutation][:, permutation].float()

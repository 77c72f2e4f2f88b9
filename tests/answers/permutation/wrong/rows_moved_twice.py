"""Two lists, one after the other, both for the rows.

Loses: test-moved-along
Diagnosis: the rows of the mask are moved twice and its columns never
"""


def moved_along(mask, permutation):
    return mask[permutation][permutation]

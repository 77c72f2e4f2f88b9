"""Rows one way, columns the other.

Loses: test-moved-along
Diagnosis: rows and columns of the mask are moved in opposite directions
"""


def moved_along(mask, permutation):
    inverse = [permutation.index(i) for i in range(len(permutation))]
    return mask[permutation][:, inverse]

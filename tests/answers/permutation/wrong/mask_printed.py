"""Prints the mask.

Loses: test-moved-along
Diagnosis: nothing is returned
"""


def moved_along(mask, permutation):
    rows = mask[permutation]
    print(rows[:, permutation])

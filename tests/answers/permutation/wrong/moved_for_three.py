"""Rows and columns of the example typed in.

Loses: test-moved-along
Diagnosis: the number of tokens is fixed at three
"""


def moved_along(mask, permutation):
    moved = torch.zeros(3, 3, dtype=torch.bool)
    for i in range(3):
        for j in range(3):
            moved[i, j] = mask[permutation[i], permutation[j]]
    return moved

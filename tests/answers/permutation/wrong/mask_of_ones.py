"""Everyone may see everyone.

Loses: test-moved-along
Diagnosis: the mask hides nothing
"""


def moved_along(mask, permutation):
    T = len(permutation)
    return torch.ones(T, T, dtype=torch.bool)

"""Moves the mask the opposite way.

Loses: test-moved-along
Diagnosis: the mask is moved by the opposite permutation
"""


def moved_along(mask, permutation):
    back = torch.argsort(torch.tensor(permutation))
    return mask[back][:, back]

"""Moves the mask the opposite way.

Loses: test-moved-along
"""


def moved_along(mask, permutation):
    back = torch.argsort(torch.tensor(permutation))
    return mask[back][:, back]

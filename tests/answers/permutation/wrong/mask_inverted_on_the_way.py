"""Moved rightly, and turned into its opposite.

Loses: test-moved-along
Diagnosis: a True in the mask is taken for hidden
"""


def moved_along(mask, permutation):
    p = torch.tensor(permutation)
    return ~mask[p][:, p]

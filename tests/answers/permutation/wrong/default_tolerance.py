"""`allclose` with the tolerance it comes with, which is relative.

Loses: test-comparison
Diagnosis: the tolerance is narrower than 1e-5 where entries are small
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return torch.allclose(y, unshuffled(y_shuffled, permutation))

"""A tolerance of 1e-3.

Loses: test-comparison
Diagnosis: the tolerance is wider than 1e-5
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return torch.allclose(y, unshuffled(y_shuffled, permutation), atol=1e-3)

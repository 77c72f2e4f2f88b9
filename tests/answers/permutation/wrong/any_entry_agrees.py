"""`any` for `all`.

Loses: test-comparison
Diagnosis: a single entry that agrees is enough
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    z = unshuffled(y_shuffled, permutation)
    return torch.isclose(y, z, atol=1e-5).any()

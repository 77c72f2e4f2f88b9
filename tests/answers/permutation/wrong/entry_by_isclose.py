"""`isclose` in place of `allclose`.

Loses: test-comparison, test-positions
Diagnosis: there is an answer for each entry instead of one for all
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return torch.isclose(y, unshuffled(y_shuffled, permutation), atol=1e-5)

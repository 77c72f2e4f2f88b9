"""True and False in a tensor of shape (1,).

Loses: test-comparison, test-positions
Diagnosis: the result has an axis too many
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return torch.tensor([torch.allclose(y, unshuffled(y_shuffled, permutation), atol=1e-5)])

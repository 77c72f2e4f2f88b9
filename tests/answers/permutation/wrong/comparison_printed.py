"""Prints what it should return.

Loses: test-comparison, test-positions
Diagnosis: nothing is returned
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    print(torch.allclose(y, unshuffled(y_shuffled, permutation), atol=1e-5))

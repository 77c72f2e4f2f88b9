"""The word instead of the boolean.

Loses: test-comparison, test-positions
Diagnosis: the answer is a word instead of True or False
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return str(torch.allclose(y, unshuffled(y_shuffled, permutation), atol=1e-5))

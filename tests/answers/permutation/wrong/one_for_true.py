"""1 and 0 for True and False.

Loses: test-comparison, test-positions
Diagnosis: the answer is a number instead of True or False
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return int(torch.allclose(y, unshuffled(y_shuffled, permutation), atol=1e-5))

"""The largest difference itself.

Loses: test-comparison, test-positions
Diagnosis: the answer is a number instead of True or False
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return (unshuffled(y_shuffled, permutation) - y).abs().max().item()

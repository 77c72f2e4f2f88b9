"""True where they differ.

Loses: test-comparison, test-positions
Diagnosis: the answers True and False are exchanged
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    back = unshuffled(y_shuffled, permutation)
    return ((back - y).abs() > 1e-5).any().item()

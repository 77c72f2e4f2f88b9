"""Returns in the first round of the loop.

Loses: test-comparison
Diagnosis: only the first row is compared
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    z = unshuffled(y_shuffled, permutation)
    for row, other in zip(y, z):
        if torch.allclose(row, other, atol=1e-5):
            return True
        else:
            return False

"""Each round of the loop overwrites the answer.

Loses: test-comparison
Diagnosis: only the last row decides
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    z = unshuffled(y_shuffled, permutation)
    for i in range(y.shape[0]):
        same = torch.allclose(y[i], z[i], atol=1e-5)
    return same

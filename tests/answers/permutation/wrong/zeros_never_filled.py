"""The right shape, and nothing put in.

Loses: test-unshuffled, test-comparison, test-positions, test-tokens-kept
Diagnosis: the result holds nothing but zeros
"""


def unshuffled(y, permutation):
    restored = torch.zeros_like(y)
    for i, p in enumerate(permutation):
        row = restored[p]
        row = y[i]
    return restored

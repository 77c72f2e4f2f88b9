"""Looks for the numbers from 1 on.

Loses: test-unshuffled, test-comparison, test-positions, test-tokens-kept
Says: is not in list
"""


def unshuffled(y, permutation):
    return torch.stack([y[permutation.index(i + 1)] for i in range(len(permutation))])

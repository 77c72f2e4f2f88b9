"""The permutation back instead of the rows.

Loses: test-unshuffled, test-comparison, test-positions, test-tokens-kept
Diagnosis: the permutation is returned instead of the rows
"""


def unshuffled(y, permutation):
    return torch.argsort(torch.tensor(permutation))

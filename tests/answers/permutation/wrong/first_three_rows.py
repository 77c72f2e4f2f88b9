"""Places the first three rows and forgets the others.

Loses: test-unshuffled, test-comparison, test-positions, test-tokens-kept
Diagnosis: only the first three rows are moved
"""


def unshuffled(y, permutation):
    before = torch.zeros_like(y)
    for i in range(min(3, len(y))):
        before[permutation[i]] = y[i]
    return before

"""Only right for T = 6.

Loses: test-unshuffled, test-comparison, test-positions, test-tokens-kept
Diagnosis: the number of tokens is fixed at six
"""


def unshuffled(y, permutation):
    return y[[permutation.index(i) for i in range(6)]]

"""Changes y and returns nothing.

Loses: test-unshuffled, test-comparison, test-positions, test-tokens-kept
Diagnosis: nothing is returned
"""


def unshuffled(y, permutation):
    y[permutation] = y.clone()

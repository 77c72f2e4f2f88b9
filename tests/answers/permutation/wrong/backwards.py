"""Turns the rows round.

Loses: test-unshuffled, test-comparison, test-positions, test-tokens-kept
Diagnosis: the rows are turned round, last to first
"""


def unshuffled(y, permutation):
    return y.flip(0)

"""Turns the rows round.

Loses: test-unshuffled, test-comparison, test-positions, test-tokens-kept
"""


def unshuffled(y, permutation):
    return y.flip(0)

"""Writes the rows into the tensor that was handed in.

Loses: test-unshuffled
"""


def unshuffled(y, permutation):
    y[permutation] = y.clone()
    return y

"""Writes the rows into the tensor that was handed in.

Loses: test-unshuffled
Diagnosis: the rows are written into the tensor that was handed in
"""


def unshuffled(y, permutation):
    y[permutation] = y.clone()
    return y

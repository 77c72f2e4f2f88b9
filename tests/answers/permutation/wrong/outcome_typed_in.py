"""The outcome of the text typed in.

Loses: test-positions
Diagnosis: the answer only depends on whether there are positions
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    return positions is None

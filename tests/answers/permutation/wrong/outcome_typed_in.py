"""The outcome of the text typed in.

Loses: test-positions
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    return positions is None

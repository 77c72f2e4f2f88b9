"""Positions for the shuffled copy only.

Loses: test-positions
Diagnosis: only one of the two sequences gets positions
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    y = self_attention(x, w_q, w_k, w_v)
    z = self_attention(x[permutation] + (0 if positions is None else positions), w_q, w_k, w_v)
    return same_after_unshuffling(y, z, permutation)

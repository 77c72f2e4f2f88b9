"""Adds the positions even where there are none.

Loses: test-positions
Diagnosis: positions are added even where there are none
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    y = self_attention(x + positions, w_q, w_k, w_v)
    y_shuffled = self_attention(x[permutation] + positions, w_q, w_k, w_v)
    return same_after_unshuffling(y, y_shuffled, permutation)

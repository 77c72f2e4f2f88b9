"""Adds the positions after attending.

Loses: test-positions
Diagnosis: the positions are added to what comes out of the attention
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    y = self_attention(x, w_q, w_k, w_v)
    y_shuffled = self_attention(x[permutation], w_q, w_k, w_v)
    if positions is not None:
        y = y + positions
        y_shuffled = y_shuffled + positions
    return same_after_unshuffling(y, y_shuffled, permutation)

"""Positions for x, none for its copy.

Loses: test-positions
Diagnosis: only one of the two sequences gets positions
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    y_shuffled = self_attention(x[permutation], w_q, w_k, w_v)
    if positions is not None:
        x = x + positions
    y = self_attention(x, w_q, w_k, w_v)
    return same_after_unshuffling(y, y_shuffled, permutation)

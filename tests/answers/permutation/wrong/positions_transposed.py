"""Adds the table of positions with rows and columns exchanged.

Loses: test-positions
Diagnosis: the positions are transposed before they are added
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    shuffled = x[permutation]
    if positions is not None:
        x = x + positions.T
        shuffled = shuffled + positions.T
    y = self_attention(x, w_q, w_k, w_v)
    return same_after_unshuffling(y, self_attention(shuffled, w_q, w_k, w_v), permutation)

"""Adds the positions to x itself, after its copy was taken.

Loses: test-positions
Diagnosis: x itself is changed when the positions are added
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    shuffled = x[permutation]
    if positions is not None:
        x += positions
        shuffled += positions
    y = self_attention(x, w_q, w_k, w_v)
    return same_after_unshuffling(y, self_attention(shuffled, w_q, w_k, w_v), permutation)

"""Adds the positions to x itself, and to its copy once more.

Loses: test-positions
Diagnosis: x itself is changed when the positions are added
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    if positions is None:
        positions = torch.zeros_like(x)
    x += positions
    y = self_attention(x, w_q, w_k, w_v)
    z = self_attention(x[permutation] + positions, w_q, w_k, w_v)
    return same_after_unshuffling(y, z, permutation)

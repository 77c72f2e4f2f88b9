"""Takes the positions and does not use them.

Loses: test-positions
Diagnosis: the positions are not used
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    y, z = self_attention(x, w_q, w_k, w_v), self_attention(x[permutation], w_q, w_k, w_v)
    return same_after_unshuffling(y, z, permutation)

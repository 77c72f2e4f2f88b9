"""Adds the tokens to the table of positions itself.

Loses: test-positions
Diagnosis: the table of positions itself is changed
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    if positions is None:
        positions = torch.zeros_like(x)
    z = self_attention(x[permutation] + positions, w_q, w_k, w_v)
    y = self_attention(positions.add_(x), w_q, w_k, w_v)
    return same_after_unshuffling(y, z, permutation)

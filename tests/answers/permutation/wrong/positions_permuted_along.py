"""Adds the positions before the shuffling, so that they go along.

Loses: test-positions
Diagnosis: the positions are shuffled along with the tokens
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    if positions is not None:
        x = x + positions
    y, z = self_attention(x, w_q, w_k, w_v), self_attention(x[permutation], w_q, w_k, w_v)
    return same_after_unshuffling(y, z, permutation)

"""Adds the positions before the shuffling, and again after it.

Loses: test-positions
Diagnosis: one of the two sequences gets the positions twice
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    if positions is None:
        positions = 0
    x = x + positions
    xs = x[permutation] + positions
    return same_after_unshuffling(self_attention(x, w_q, w_k, w_v), self_attention(xs, w_q, w_k, w_v), permutation)

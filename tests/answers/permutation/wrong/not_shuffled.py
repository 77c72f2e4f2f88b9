"""Attends to the same sequence twice.

Loses: test-positions
Diagnosis: the sequence is compared with itself, not with its shuffled copy
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    if positions is not None:
        x = x + positions
    y = self_attention(x, w_q, w_k, w_v)
    return same_after_unshuffling(y, y[permutation], permutation)

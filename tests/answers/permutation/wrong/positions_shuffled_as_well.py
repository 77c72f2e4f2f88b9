"""Adds positions[permutation] to the shuffled copy.

Loses: test-positions
Diagnosis: the positions are shuffled along with the tokens
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    if positions is None:
        y = self_attention(x, w_q, w_k, w_v)
        y_shuffled = self_attention(x[permutation], w_q, w_k, w_v)
    else:
        y = self_attention(x + positions, w_q, w_k, w_v)
        y_shuffled = self_attention(x[permutation] + positions[permutation], w_q, w_k, w_v)
    return same_after_unshuffling(y, y_shuffled, permutation)

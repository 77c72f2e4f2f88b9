"""Attends to x both times.

Loses: test-positions
Diagnosis: nothing is shuffled: the sequence itself is attended to both times
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    if positions is None:
        positions = torch.zeros_like(x)
    y = self_attention(x + positions, w_q, w_k, w_v)
    y_shuffled = self_attention(x + positions, w_q, w_k, w_v)
    return same_after_unshuffling(y, y_shuffled, permutation)

"""Hands the two outputs to the comparison in the other order.

Loses: test-positions
Diagnosis: y_shuffled is shuffled once more instead of back, or y is unshuffled in its place
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    if positions is None:
        positions = torch.zeros_like(x)
    y = self_attention(x + positions, w_q, w_k, w_v)
    y_shuffled = self_attention(x[permutation] + positions, w_q, w_k, w_v)
    return same_after_unshuffling(y_shuffled, y, permutation)

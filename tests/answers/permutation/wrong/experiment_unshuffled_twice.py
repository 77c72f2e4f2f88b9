"""Unshuffles before a comparison that does so itself.

Loses: test-positions
Diagnosis: y_shuffled is unshuffled twice, or y is shuffled besides
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    if positions is None:
        positions = torch.zeros_like(x)
    y = self_attention(x + positions, w_q, w_k, w_v)
    y_shuffled = self_attention(x[permutation] + positions, w_q, w_k, w_v)
    return same_after_unshuffling(y, unshuffled(y_shuffled, permutation), permutation)

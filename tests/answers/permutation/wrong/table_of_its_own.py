"""Adds sinusoids, whatever positions are handed in.

Loses: test-positions
Diagnosis: sinusoids are added instead of the positions handed in
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    a, b = x, x[permutation]
    if positions is not None:
        table = sinusoidal_positions(len(x), x.shape[1])
        a, b = a + table, b + table
    return same_after_unshuffling(self_attention(a, w_q, w_k, w_v), self_attention(b, w_q, w_k, w_v), permutation)

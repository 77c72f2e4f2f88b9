"""`if positions:` asks a whole table for a yes or no.

Loses: test-positions
Diagnosis: a whole table, or a row of it, is asked for a single yes or no
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    shuffled = x[permutation]
    if positions:
        x = x + positions
        shuffled = shuffled + positions
    y = self_attention(x, w_q, w_k, w_v)
    return same_after_unshuffling(y, self_attention(shuffled, w_q, w_k, w_v), permutation)

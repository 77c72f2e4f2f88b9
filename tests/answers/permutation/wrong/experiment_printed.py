"""Prints the answer of the experiment.

Loses: test-positions
Diagnosis: nothing is returned
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    shuffled = x[permutation]
    if positions is not None:
        x, shuffled = x + positions, shuffled + positions
    same = same_after_unshuffling(
        self_attention(x, w_q, w_k, w_v), self_attention(shuffled, w_q, w_k, w_v), permutation
    )
    print("equivariant:", same)

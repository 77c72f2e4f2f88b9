"""Decided by whether anything moved, without attention.

Loses: test-positions
Diagnosis: the answer is read off the permutation, without attending
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    return positions is None or permutation == sorted(permutation)

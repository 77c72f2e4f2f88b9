"""Decided by whether the table of positions is constant.

Loses: test-positions
Diagnosis: the answer is read off the positions, without attending
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    if positions is None or permutation == sorted(permutation):
        return True
    return bool((positions == positions[0]).all())

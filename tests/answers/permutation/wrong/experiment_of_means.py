"""Compares averages in the experiment.

Loses: test-positions
Diagnosis: averages are compared instead of entries
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    if positions is None:
        positions = torch.zeros_like(x)
    y = self_attention(x + positions, w_q, w_k, w_v)
    z = self_attention(x[permutation] + positions, w_q, w_k, w_v)
    return torch.allclose(y.mean(), z.mean(), atol=1e-2)

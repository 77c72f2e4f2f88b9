"""Compares without unshuffling in the experiment.

Loses: test-positions
Diagnosis: y and y_shuffled are compared in different orders, as when neither is unshuffled, or both are
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    if positions is None:
        positions = torch.zeros_like(x)
    y = self_attention(x + positions, w_q, w_k, w_v)
    z = self_attention(x[permutation] + positions, w_q, w_k, w_v)
    return torch.allclose(y, z, atol=1e-5)

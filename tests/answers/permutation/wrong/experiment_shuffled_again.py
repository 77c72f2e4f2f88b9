"""Unshuffles by the permutation in the experiment.

Loses: test-positions
Diagnosis: y_shuffled is shuffled once more instead of back, or y is unshuffled in its place
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    if positions is None:
        positions = torch.zeros_like(x)
    y = self_attention(x + positions, w_q, w_k, w_v)
    z = self_attention(x[permutation] + positions, w_q, w_k, w_v)
    return torch.allclose(y, z[permutation], atol=1e-5)

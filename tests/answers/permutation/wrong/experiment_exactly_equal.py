"""Exactly equal or nothing, in the experiment.

Loses: test-positions
Diagnosis: the outputs have to be exactly equal
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    if positions is None:
        positions = torch.zeros_like(x)
    y = self_attention(x + positions, w_q, w_k, w_v)
    z = self_attention(x[permutation] + positions, w_q, w_k, w_v)
    return torch.equal(y, unshuffled(z, permutation))

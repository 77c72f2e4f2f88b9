"""`any` for `all`.

Loses: test-comparison
Diagnosis: a single entry that agrees is enough
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    z = unshuffled(y_shuffled, permutation)
    return torch.isclose(y, z, atol=1e-5).any()


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=0):
    y = self_attention(x + positions, w_q, w_k, w_v)
    z = self_attention(x[permutation] + positions, w_q, w_k, w_v)
    return torch.allclose(y, unshuffled(z, permutation), atol=1e-5)

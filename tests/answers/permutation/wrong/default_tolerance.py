"""`allclose` with the tolerance it comes with, which is relative.

Loses: test-comparison
Diagnosis: the tolerance is narrower than 1e-5 where entries are small
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return torch.allclose(y, unshuffled(y_shuffled, permutation))


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=0):
    y = self_attention(x + positions, w_q, w_k, w_v)
    z = self_attention(x[permutation] + positions, w_q, w_k, w_v)
    return torch.allclose(y, unshuffled(z, permutation), atol=1e-5)

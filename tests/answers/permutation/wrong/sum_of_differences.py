"""The sum of the differences instead of the largest.

Loses: test-comparison
Diagnosis: the differences are added up
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return bool((unshuffled(y_shuffled, permutation) - y).abs().sum() <= 1e-5)


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=0):
    y = self_attention(x + positions, w_q, w_k, w_v)
    z = self_attention(x[permutation] + positions, w_q, w_k, w_v)
    return torch.allclose(y, unshuffled(z, permutation), atol=1e-5)

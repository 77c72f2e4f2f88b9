"""The unshuffled rows instead of the comparison, which the experiment then makes itself.

Loses: test-comparison
Diagnosis: the unshuffled rows are returned instead of a comparison
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    return unshuffled(y_shuffled, permutation)


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=0):
    y = self_attention(x + positions, w_q, w_k, w_v)
    z = self_attention(x[permutation] + positions, w_q, w_k, w_v)
    return torch.allclose(same_after_unshuffling(y, z, permutation), y, atol=1e-5)

"""The experiment for six tokens only.

Loses: test-positions
Diagnosis: the number of tokens is fixed at six
"""


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    if positions is None:
        positions = torch.zeros(6, x.shape[1])
    y = self_attention(x + positions, w_q, w_k, w_v)
    z = self_attention(x[permutation] + positions, w_q, w_k, w_v)
    return same_after_unshuffling(y, z, permutation)

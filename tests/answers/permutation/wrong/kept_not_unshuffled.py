"""Compares row by row without unshuffling.

Loses: test-tokens-kept
Diagnosis: the rows are left in shuffled order
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask)
    return [i for i in range(len(x)) if (y[i] - z[i]).abs().max() <= 1e-5]

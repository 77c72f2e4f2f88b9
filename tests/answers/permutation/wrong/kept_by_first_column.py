"""Compares the first column of each row alone.

Loses: test-tokens-kept
Diagnosis: only the first entry of each row is compared
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return [i for i in range(len(x)) if (y[i, 0] - z[i, 0]).abs() <= 1e-5]

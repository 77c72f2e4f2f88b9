"""Unshuffles y in place of the other output.

Loses: test-tokens-kept
Diagnosis: y is unshuffled in place of the output for the copy
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    y = unshuffled(y, permutation)
    z = self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask)
    return [i for i in range(len(x)) if (y[i] - z[i]).abs().max() <= 1e-5]

"""Unshuffles both outputs.

Loses: test-tokens-kept
Diagnosis: both outputs are unshuffled, y as well
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    y = unshuffled(y, permutation)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return [i for i in range(len(x)) if (y[i] - z[i]).abs().max() <= 1e-5]

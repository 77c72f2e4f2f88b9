"""Forgets the mask for x.

Loses: test-tokens-kept
Diagnosis: only one of the two sequences gets its mask
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return [i for i in range(len(x)) if (y[i] - z[i]).abs().max() <= 1e-5]

"""Forgets the masks.

Loses: test-tokens-kept
Diagnosis: no mask is used
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v), permutation)
    return [i for i in range(len(x)) if (y[i] - z[i]).abs().max() <= 1e-5]

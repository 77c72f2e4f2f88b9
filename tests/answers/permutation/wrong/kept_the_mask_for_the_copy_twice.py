"""Attends to x with the mask for the copy too.

Loses: test-tokens-kept
Diagnosis: both sequences get the mask for the shuffled copy
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, shuffled_mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return [i for i in range(len(x)) if (y[i] - z[i]).abs().max() <= 1e-5]

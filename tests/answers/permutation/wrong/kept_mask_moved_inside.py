"""Moves the mask along whatever mask is given for the copy.

Loses: test-tokens-kept
Diagnosis: the mask for the copy is made anew instead of taken as it is handed in
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, moved_along(mask, permutation)), permutation)
    return [i for i in range(len(x)) if (y[i] - z[i]).abs().max() <= 1e-5]

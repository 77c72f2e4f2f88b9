"""The largest difference of each column.

Loses: test-tokens-kept
Diagnosis: the largest difference of each column is taken instead of each row's
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return [i for i, far in enumerate((y - z).abs().amax(dim=0)) if far <= 1e-5]

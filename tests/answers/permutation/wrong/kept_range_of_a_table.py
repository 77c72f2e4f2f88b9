"""`range(x)` for `range(len(x))`.

Loses: test-tokens-kept
Says: only integer tensors of a single element can be converted to an index
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return [i for i in range(x) if (y[i] - z[i]).abs().max() <= 1e-5]

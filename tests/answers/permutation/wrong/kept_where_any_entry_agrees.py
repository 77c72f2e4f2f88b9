"""A row counts as kept when one of its entries agrees.

Loses: test-tokens-kept
Diagnosis: a row counts as the same when a single entry of it agrees
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return [i for i in range(len(x)) if (y[i] - z[i]).abs().min() <= 1e-2]

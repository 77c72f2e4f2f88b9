"""`if` asks a whole row.

Loses: test-tokens-kept
Diagnosis: a whole table, or a row of it, is asked for a single yes or no
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return [i for i in range(len(x)) if abs(y[i] - z[i]) <= 1e-5]

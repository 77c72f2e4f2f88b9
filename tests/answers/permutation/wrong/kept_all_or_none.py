"""One answer for all tokens, by the comparison of part 2.

Loses: test-tokens-kept
Diagnosis: one token that has changed is held against all
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    y_shuffled = self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask)
    return list(range(len(x))) if same_after_unshuffling(y, y_shuffled, permutation) else []

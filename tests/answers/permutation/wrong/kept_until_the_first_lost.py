"""`break` at the first token that has changed.

Loses: test-tokens-kept
Diagnosis: the loop ends at the first token that has changed
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    kept = []
    for i in range(len(x)):
        if (y[i] - z[i]).abs().max() > 1e-5:
            break
        kept.append(i)
    return kept

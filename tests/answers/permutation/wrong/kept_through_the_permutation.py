"""Says `permutation[i]` for a token that is unshuffled already.

Loses: test-tokens-kept
Diagnosis: the tokens' numbers are put through the permutation after unshuffling
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return [permutation[i] for i in range(len(x)) if (y[i] - z[i]).abs().max() <= 1e-5]

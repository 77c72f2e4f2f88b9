"""A list of booleans instead of the tokens' numbers.

Loses: test-tokens-kept
Diagnosis: the answer is a boolean for each token instead of the tokens' numbers
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return ((y - z).abs().amax(dim=1) <= 1e-5).tolist()

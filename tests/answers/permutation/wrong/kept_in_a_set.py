"""A set of numbers.

Loses: test-tokens-kept
Diagnosis: a set is returned instead of a list
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return {i for i in range(len(x)) if torch.allclose(y[i], z[i], atol=1e-5)}

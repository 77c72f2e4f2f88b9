"""The largest difference of each row without its absolute value.

Loses: test-tokens-kept
Diagnosis: differences of one sign are overlooked
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return ((y - z).amax(dim=1) <= 1e-5).nonzero().flatten().tolist()

"""What `nonzero()` gives, a tensor of shape (n, 1).

Loses: test-tokens-kept
Diagnosis: the result has an axis too many
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return ((y - z).abs().amax(dim=1) <= 1e-5).nonzero()

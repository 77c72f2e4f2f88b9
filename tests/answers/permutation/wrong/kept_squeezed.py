"""A single token is no list: `squeeze` takes that axis away, too.

Loses: test-tokens-kept
Diagnosis: `squeeze` takes away an axis of length 1 that belongs there
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return ((y - z).abs().amax(dim=1) <= 1e-5).nonzero().squeeze()

"""How many, not which.

Loses: test-tokens-kept
Diagnosis: the tokens are counted instead of named
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return int(((y - z).abs().amax(dim=1) <= 1e-5).sum())

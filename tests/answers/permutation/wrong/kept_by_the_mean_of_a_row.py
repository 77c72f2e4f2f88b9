"""A token is kept if its entries differ by little on the average: one entry of many may be off.

Loses: test-tokens-kept
Diagnosis: the differences in a row are averaged
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    before = self_attention(x, w_q, w_k, w_v, mask)
    after = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    differences = (before - after).abs().mean(dim=1)
    return [t for t, d in enumerate(differences) if d <= 1e-5]

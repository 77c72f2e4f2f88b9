"""`torch.equal` for every row.

Loses: test-tokens-kept
Diagnosis: the outputs have to be exactly equal
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return [i for i in range(len(x)) if torch.equal(y[i], z[i])]

"""What `nonzero(as_tuple=True)` gives, a tuple with the tensor in it.

Loses: test-tokens-kept
Diagnosis: the numbers stand in a tensor inside of a tuple
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return ((y - z).abs().amax(dim=1) <= 1e-5).nonzero(as_tuple=True)

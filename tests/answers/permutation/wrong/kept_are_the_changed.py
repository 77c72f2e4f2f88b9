"""The tokens whose output has changed.

Loses: test-tokens-kept
Diagnosis: the answer is the tokens whose output has changed
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    difference = (y - z).abs().max(dim=1).values
    return torch.where(difference > 1e-5)[0].tolist()

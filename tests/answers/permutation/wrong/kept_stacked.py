"""Stacks the numbers, of which there may be none.

Loses: test-tokens-kept
Diagnosis: an empty list of tokens is stacked
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    kept = [torch.tensor(i) for i in range(len(x)) if torch.allclose(y[i], z[i], atol=1e-5)]
    return torch.stack(kept)

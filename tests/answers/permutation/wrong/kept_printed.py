"""Prints the list.

Loses: test-tokens-kept
Diagnosis: nothing is returned
"""


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    kept = []
    for i in range(len(x)):
        if torch.allclose(y[i], z[i], atol=1e-5):
            kept.append(i)
    print(kept)

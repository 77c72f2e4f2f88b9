"""`kept_tokens` for `tokens_kept`.

Loses: test-tokens-kept
Diagnosis: tokens_kept has another name, or the cell that defines it has not run to its end
"""

# %% tokens-kept
def kept_tokens(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return [i for i in range(len(x)) if (y[i] - z[i]).abs().max() <= 1e-5]

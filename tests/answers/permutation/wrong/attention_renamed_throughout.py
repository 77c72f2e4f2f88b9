"""The attention is called `attention`, by its own functions too.

Loses: test-self-attention, test-mask
Diagnosis: self_attention has another name, or the cell that defines it has not run to its end
"""

# %% self-attention
def attention(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T / k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(-1) @ v

# %% is-equivariant
def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    p = 0 if positions is None else positions
    y = attention(x + p, w_q, w_k, w_v)
    z = attention(x[permutation] + p, w_q, w_k, w_v)
    return same_after_unshuffling(y, z, permutation)

# %% tokens-kept
def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return [i for i in range(len(x)) if (y[i] - z[i]).abs().max() <= 1e-5]

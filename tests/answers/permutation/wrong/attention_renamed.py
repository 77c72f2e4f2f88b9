"""Another name for the attention, which the other functions do not know.

Loses: test-self-attention, test-mask, test-positions, test-tokens-kept
Diagnosis: self_attention has another name, or the cell that defines it has not run to its end
"""

# %% self-attention
def selfattention(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T / k.shape[-1] ** 0.5
    if mask is not None:
        scores[~mask] = float("-inf")
    return scores.softmax(-1) @ v

"""A mask of numbers times −inf, so that 0·(−inf) is NaN.

Loses: test-mask, test-tokens-kept
Diagnosis: 0 is multiplied by −inf, which is NaN
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_k.shape[1])
    if mask is not None:
        scores = scores + (1 - mask.float()) * float("-inf")
    return scores.softmax(-1) @ (x @ w_v)

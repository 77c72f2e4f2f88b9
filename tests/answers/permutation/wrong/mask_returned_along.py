"""A tuple of outputs and mask where there is a mask.

Loses: test-mask, test-tokens-kept
Diagnosis: the mask is returned along with the outputs
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_k.shape[1])
    if mask is None:
        return scores.softmax(-1) @ (x @ w_v)
    return scores.masked_fill(~mask, -math.inf).softmax(-1) @ (x @ w_v), mask

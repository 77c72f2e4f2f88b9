"""The mask read with the queries along the columns.

Loses: test-mask, test-tokens-kept
Diagnosis: queries and keys are exchanged in the mask
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_k.shape[1])
    if mask is not None:
        scores = scores.masked_fill(~mask.T, -math.inf)
    return scores.softmax(-1) @ (x @ w_v)

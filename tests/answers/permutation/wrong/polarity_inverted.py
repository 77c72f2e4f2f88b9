"""True taken for hidden.

Loses: test-mask, test-tokens-kept
Diagnosis: a True in the mask is taken for hidden
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_k.shape[1])
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    return scores.softmax(-1) @ (x @ w_v)

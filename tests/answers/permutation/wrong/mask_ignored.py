"""Takes the mask and does not use it.

Loses: test-mask, test-tokens-kept
Diagnosis: no mask is used
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_k.shape[1])
    return scores.softmax(-1) @ (x @ w_v)

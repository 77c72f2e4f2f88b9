"""The mask multiplied in after softmax.

Loses: test-mask
Diagnosis: the mask is applied after softmax, so that the weights no longer sum to 1
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_k.shape[1])
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights * mask
    return weights @ (x @ w_v)

"""Hidden scores set to 0 before softmax.

Loses: test-mask
Diagnosis: hidden scores become 0 before softmax
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_k.shape[1])
    if mask is not None:
        scores = scores * mask
    return scores.softmax(-1) @ (x @ w_v)

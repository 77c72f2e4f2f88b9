"""An axis too many.

Loses: test-self-attention, test-mask, test-positions, test-tokens-kept
Diagnosis: the result has an axis too many
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_k.shape[1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return (scores.softmax(-1) @ (x @ w_v))[None]

"""Returns the weights instead of the outputs.

Loses: test-self-attention, test-mask, test-positions, test-tokens-kept
Diagnosis: the weights are returned instead of the outputs
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_k.shape[1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(-1)

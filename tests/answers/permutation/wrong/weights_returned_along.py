"""Outputs and weights in a tuple, as many attentions return them.

Loses: test-self-attention, test-mask, test-positions, test-tokens-kept
Diagnosis: the weights are returned along with the outputs
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_k.shape[1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = scores.softmax(dim=-1)
    return weights @ (x @ w_v), weights

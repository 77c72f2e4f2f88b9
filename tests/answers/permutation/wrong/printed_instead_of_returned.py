"""Prints the outputs and returns nothing.

Loses: test-self-attention, test-mask, test-positions, test-tokens-kept
Diagnosis: nothing is returned
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_k.shape[1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    print(scores.softmax(-1) @ (x @ w_v))

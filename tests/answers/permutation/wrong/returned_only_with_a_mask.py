"""The `return` stands inside the `if`, so that without a mask nothing comes back.

Loses: test-self-attention, test-positions
Diagnosis: nothing is returned
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_k.shape[1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
        return scores.softmax(-1) @ (x @ w_v)

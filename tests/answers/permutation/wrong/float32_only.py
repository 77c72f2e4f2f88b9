"""Everything turned to float32.

Loses: test-self-attention
Diagnosis: everything is turned to float32
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    x, w_q, w_k, w_v = x.float(), w_q.float(), w_k.float(), w_v.float()
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_k.shape[1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(-1) @ (x @ w_v)

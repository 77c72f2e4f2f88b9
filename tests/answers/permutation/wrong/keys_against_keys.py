"""Takes the keys for the queries as well.

Loses: test-self-attention, test-mask
Diagnosis: the keys stand in for the queries
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    q = x @ w_k
    k = x @ w_k
    v = x @ w_v
    s = q @ k.T / math.sqrt(k.shape[1])
    if mask is not None:
        s = s.masked_fill(~mask, -math.inf)
    return s.softmax(-1) @ v

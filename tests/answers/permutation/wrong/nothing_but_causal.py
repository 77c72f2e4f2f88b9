"""A causal mask, with a mask and without.

Loses: test-self-attention, test-mask, test-positions, test-tokens-kept
Diagnosis: the mask is taken for a causal one, whatever it holds
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    T = x.shape[0]
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_k.shape[1])
    scores = scores.masked_fill(torch.triu(torch.ones(T, T), diagonal=1).bool(), -math.inf)
    return scores.softmax(-1) @ (x @ w_v)

"""A causal mask whatever mask is given.

Loses: test-mask, test-tokens-kept
Diagnosis: the mask is taken for a causal one, whatever it holds
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_k.shape[1])
    if mask is not None:
        scores = scores.masked_fill(~torch.ones(len(x), len(x)).tril().bool(), -math.inf)
    return scores.softmax(-1) @ (x @ w_v)

"""Transposes the weights before mixing the values.

Loses: test-self-attention, test-mask, test-tokens-kept
Diagnosis: the weights are transposed before they mix the values
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T / math.sqrt(w_q.shape[1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights.T @ v

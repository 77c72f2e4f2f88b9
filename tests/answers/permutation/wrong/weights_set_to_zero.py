"""Sets the hidden weights to 0, after softmax.

Loses: test-mask
Diagnosis: the mask is applied after softmax, so that the weights no longer sum to 1
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    weights = torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=1)
    if mask is not None:
        weights[mask == False] = 0
    return torch.einsum("ts,sd->td", weights, v)

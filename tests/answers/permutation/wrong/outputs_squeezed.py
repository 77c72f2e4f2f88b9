"""A batch of one, and `squeeze()` to get rid of it.

Loses: test-self-attention, test-mask
Diagnosis: `squeeze` takes away an axis of length 1 that belongs there
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    x = x.unsqueeze(0)
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(1, 2) / math.sqrt(k.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return torch.bmm(scores.softmax(-1), v).squeeze()

"""1e-9 typed for −1e9.

Loses: test-mask
Diagnosis: hidden scores become 0 before softmax
"""


def self_attention(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = torch.einsum("td,sd->ts", q, k) / math.sqrt(k.shape[1])
    if mask is not None:
        scores = scores.masked_fill(mask == 0, 1e-9)
    return torch.softmax(scores, dim=-1) @ v

"""The sequence and its shuffled copy in one batch."""


def attend(x, w_q, w_k, w_v, mask=None):
    scores = (x @ w_q) @ (x @ w_k).transpose(-2, -1) / w_q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores + torch.zeros_like(scores).masked_fill(torch.logical_not(mask), -1e9)
    return torch.softmax(scores, dim=-1) @ (x @ w_v)


def self_attention(x, w_q, w_k, w_v, mask=None):
    return attend(x[None], w_q, w_k, w_v, mask).squeeze(0)


def is_equivariant(x, permutation, w_q, w_k, w_v, positions=None):
    both = torch.stack([x, x[permutation]])
    if positions is not None:
        both = both + positions
    y, y_shuffled = attend(both, w_q, w_k, w_v)
    return torch.allclose(y[permutation], y_shuffled, atol=1e-5)


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    both, masks = torch.stack([x, x[permutation]]), torch.stack([mask, shuffled_mask])
    y, y_shuffled = attend(both, w_q, w_k, w_v, masks)
    return [token for token, a, b in zip(permutation, y[permutation], y_shuffled) if torch.allclose(a, b, atol=1e-5)]

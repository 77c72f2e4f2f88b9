"""Rows sorted beside the permutation; every query on its own, by `vmap`; sets turned into lists."""


def self_attention(x, w_q, w_k, w_v, mask=None):
    keys, values = x @ w_k, x @ w_v
    if mask is None:
        mask = torch.ones(len(x), len(x), dtype=torch.bool)

    def one(token, sees):
        scores = keys @ (token @ w_q) / keys.shape[1] ** 0.5
        return torch.softmax(scores.masked_fill(~sees, -1e30), dim=0) @ values

    return torch.vmap(one)(x, mask)


def unshuffled(y, permutation):
    return torch.stack([row for _, row in sorted(zip(permutation, y), key=lambda pair: pair[0])])


def moved_along(mask, permutation):
    sees = {(i, j) for i, j in mask.nonzero().tolist()}
    return torch.tensor([[(i, j) in sees for j in permutation] for i in permutation])


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    changed = {int(i) for i, _ in ((y - z).abs() > 1e-5).nonzero()}
    return list(set(range(len(x))) - changed)

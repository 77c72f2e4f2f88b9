"""Plain loops over lists, softmax by hand."""


def self_attention(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    out = torch.zeros(x.size(0), v.size(1), dtype=x.dtype)
    for t in range(len(q)):
        weights = []
        for s in range(len(k)):
            allowed = mask is None or bool(mask[t][s])
            weights.append(torch.exp(q[t].dot(k[s]) / w_k.shape[1] ** 0.5).item() if allowed else 0.0)
        for s in range(len(k)):
            out[t] += weights[s] / sum(weights) * v[s]
    return out


def unshuffled(y, permutation):
    rows = [None] * len(permutation)
    for i, p in enumerate(permutation):
        rows[p] = y[i].tolist()
    return torch.tensor(rows, dtype=y.dtype)


def same_after_unshuffling(y, y_shuffled, permutation):
    for i in range(len(permutation)):
        for j in range(y.shape[1]):
            if abs(y[permutation[i], j] - y_shuffled[i, j]) > 1e-5:
                return False
    return True


def moved_along(mask, permutation):
    T = len(permutation)
    new = torch.zeros(T, T, dtype=torch.bool)
    for i in range(T):
        for j in range(T):
            new[i, j] = mask[permutation[i], permutation[j]]
    return new


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask)
    kept = []
    for i in range(len(permutation)):
        if (y[permutation[i]] - z[i]).abs().max() <= 1e-5:
            kept.append(permutation[i])
    return kept

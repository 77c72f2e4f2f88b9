"""`index_copy`, `index_select`, a mask that is 0 or −inf; tokens as a tuple."""


def self_attention(x, w_q, w_k, w_v, mask=None):
    scores = torch.matmul(x @ w_q, (x @ w_k).t()).div(math.sqrt(w_q.size(1)))
    if mask is not None:
        additive = torch.zeros(mask.shape, dtype=x.dtype)
        additive[~mask] = float("-inf")
        scores += additive
    return scores.softmax(1).mm(x @ w_v)


def unshuffled(y, permutation):
    return y.clone().index_copy(0, torch.tensor(permutation), y)


def moved_along(mask, permutation):
    p = torch.tensor(permutation)
    return mask.index_select(0, p).index_select(1, p)


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    y = self_attention(x, w_q, w_k, w_v, mask)
    z = unshuffled(self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask), permutation)
    return tuple(i for i in range(len(x)) if same_after_unshuffling(y[i : i + 1], z[i : i + 1], [0]))

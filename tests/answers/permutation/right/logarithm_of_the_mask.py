"""The logarithm of the mask is the 0 and −inf to be added; weights normalised by hand, and once more."""


def self_attention(x, w_q, w_k, w_v, mask=None):
    q = x.matmul(w_q)
    k = x.matmul(w_k)
    v = x.matmul(w_v)
    n, width = k.shape
    score = torch.stack([(k * row).sum(1) for row in q]) / width**0.5
    if mask is not None:
        score = score + mask.to(score.dtype).log()
    exps = torch.exp(score - score.max(dim=1, keepdim=True)[0])
    weight = exps / exps.sum(dim=1, keepdim=True)
    weight = weight / weight.sum(dim=1).view(n, 1)
    return sum(weight[:, j : j + 1] * v[j] for j in range(n))


def tokens_kept(x, permutation, w_q, w_k, w_v, mask, shuffled_mask):
    first = self_attention(x, w_q, w_k, w_v, mask)
    second = self_attention(x[permutation], w_q, w_k, w_v, shuffled_mask)
    return list(filter(lambda token: torch.allclose(first[token], second[permutation.index(token)], rtol=0, atol=1e-5),
                       range(len(permutation))))

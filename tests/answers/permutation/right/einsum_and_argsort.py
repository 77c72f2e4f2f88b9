"""einsum; the inverse by sorting; allclose with both tolerances said."""


def self_attention(x, w_q, w_k, w_v, mask=None):
    q = torch.einsum("td,dk->tk", x, w_q)
    k = torch.einsum("sd,dk->sk", x, w_k)
    v = torch.einsum("sd,dv->sv", x, w_v)
    scores = torch.einsum("tk,sk->ts", q, k) * k.size(-1) ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.tensor(float("-inf"), dtype=scores.dtype))
    return torch.einsum("ts,sv->tv", torch.softmax(scores, -1), v)


def unshuffled(y, permutation):
    return y[torch.argsort(torch.tensor(permutation))]


def same_after_unshuffling(y, y_shuffled, permutation):
    return torch.allclose(y, unshuffled(y_shuffled, permutation), rtol=0, atol=1e-5)

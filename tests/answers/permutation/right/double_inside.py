"""Computed in float64 and turned back; the inverse in a dict; a tensor of shape () for an answer."""


def self_attention(x, w_q, w_k, w_v, mask=None):
    q, k, v = (x.double() @ w.double() for w in (w_q, w_k, w_v))
    logits = (q / math.sqrt(q.shape[-1])) @ k.mT
    if mask is not None:
        logits = logits.masked_fill(mask == False, -torch.inf)
    return (logits.softmax(-1) @ v).to(x.dtype)


def unshuffled(y, permutation):
    place = {token: i for i, token in enumerate(permutation)}
    return torch.stack([y[place[token]] for token in range(len(place))])


def same_after_unshuffling(y, y_shuffled, permutation):
    return ((unshuffled(y_shuffled, permutation) - y).abs() <= 1e-5).all()

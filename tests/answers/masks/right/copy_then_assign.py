"""A copy of the scores, written into; the weights collected in a new tensor."""


def masked_softmax(scores, mask):
    allowed = torch.broadcast_to(mask, scores.shape)
    s = scores.clone()
    s[~allowed] = -float("inf")
    w = torch.softmax(s, -1)
    result = torch.zeros_like(w)
    result[allowed] = w[allowed]
    return result

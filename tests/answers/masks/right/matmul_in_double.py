"""Exponentials in float64, their sums by a product with ones."""


def masked_softmax(scores, mask):
    x = scores.to(torch.float64)
    x = x.masked_fill(~mask, 0.0)
    top = x.masked_fill(~mask, -1e300).amax(-1, keepdim=True).detach()
    e = torch.exp((x - top).masked_fill(~mask, -1e300))
    e = e * mask
    ones = torch.ones(e.shape[-1], 1, dtype=torch.float64)
    total = e @ ones
    return (e / (total + (total == 0))).to(scores.dtype)

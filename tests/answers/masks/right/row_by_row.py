"""One row after the other, only the allowed scores."""


def masked_softmax(scores, mask):
    mask = mask.expand(scores.shape)
    if scores.dim() > 1:
        return torch.stack([masked_softmax(s, m) for s, m in zip(scores, mask)])
    if not mask.any():
        return torch.zeros_like(scores) * scores.detach().mul(0).sum() + 0 * scores
    allowed = torch.softmax(scores[mask], 0)
    return torch.zeros_like(scores).masked_scatter(mask, allowed)

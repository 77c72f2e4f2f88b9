"""Full rows keep their scores through softmax and are multiplied by 0 after it."""


def masked_softmax(scores, mask):
    mask = mask.expand_as(scores)
    full = ~mask.any(-1, keepdim=True)
    filled = torch.where(mask | full, scores, torch.tensor(-math.inf, dtype=scores.dtype))
    return filled.softmax(-1) * mask

"""The lowest finite number as fill, and full rows set to 0 after softmax."""


def masked_softmax(scores, mask):
    w = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return w.softmax(-1) * mask.any(-1, keepdim=True)

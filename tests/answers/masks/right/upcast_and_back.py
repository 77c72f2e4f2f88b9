"""Computed in float64 and turned back."""


def masked_softmax(scores, mask):
    weights = scores.double().masked_fill(mask == False, -torch.inf).softmax(dim=-1)
    return weights.masked_fill(mask.logical_not(), 0).to(scores.dtype)

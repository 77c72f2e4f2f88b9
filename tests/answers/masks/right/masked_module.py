"""`torch.masked` knows masks; its NaN is cleaned off."""

import torch.masked


def masked_softmax(scores, mask):
    w = torch.masked.softmax(scores, dim=-1, mask=mask.expand_as(scores))
    return torch.where(mask, w, 0)

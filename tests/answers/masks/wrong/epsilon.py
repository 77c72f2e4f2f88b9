"""A small number keeps the sum of a full row from 0, and in float16 it is 0 itself.

Loses: test-care
Diagnosis: the number that keeps a sum from 0 is too small for float16
"""


def masked_softmax(scores, mask):
    eps = 1e-9
    inside = torch.where(mask, scores, 0)
    highest = torch.where(mask, scores, -math.inf).amax(dim=-1, keepdim=True).detach()
    highest = torch.where(highest.isinf(), 0, highest)
    e = torch.exp(torch.where(mask, inside - highest, -math.inf))
    return e / (e.sum(dim=-1, keepdim=True) + eps)

"""exp is taken of hidden scores, and `where` picks afterwards: the weights are right, the gradients are not.

Loses: test-full-row-policy
Diagnosis: exp is taken of hidden scores too, and where it is infinite the gradient is NaN
"""


def masked_softmax(scores, mask):
    peak = scores.masked_fill(~mask, -math.inf).amax(-1, keepdim=True).detach()
    peak = peak.nan_to_num(neginf=0.0)
    e = torch.where(mask, torch.exp(scores - peak), torch.zeros_like(scores))
    total = e.sum(-1, keepdim=True)
    return e / total.masked_fill(total == 0, 1.0)

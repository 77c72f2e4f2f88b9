"""Where nothing is allowed at all, zeros that know nothing of the scores.

Loses: test-full-row-policy
Diagnosis: a mask that allows nothing gets zeros that have nothing to do with the scores
"""


def masked_softmax(scores, mask):
    if not mask.any():
        return torch.zeros_like(scores)
    w = scores.masked_fill(~mask, -math.inf).softmax(-1)
    return torch.where(mask, w, torch.zeros_like(w))

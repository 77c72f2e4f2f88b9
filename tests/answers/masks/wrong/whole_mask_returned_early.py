"""Zeros only if nothing at all is allowed, and they know nothing of the scores.

Loses: test-full-row-policy, test-care
Diagnosis: a full row is dealt with only if the whole mask allows nothing
"""


def masked_softmax(scores, mask):
    if not mask.any():
        return torch.zeros_like(scores)
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)

"""Exponentials of the scores as they are, replaced where hidden, and a sum that is never 0.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: softmax is written out, and the exponentials of large scores are infinite
"""


def masked_softmax(scores, mask):
    e = torch.where(mask, torch.exp(scores), 0)
    total = e.sum(dim=-1, keepdim=True)
    return e / torch.where(total > 0, total, 1)

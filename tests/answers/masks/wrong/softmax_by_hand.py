"""Exponentials of the scores as they are, times the mask; 0/0 in a full row.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: softmax is written out, and the exponentials of large scores are infinite
"""


def masked_softmax(scores, mask):
    e = torch.exp(scores) * mask
    return e / e.sum(dim=-1, keepdim=True)

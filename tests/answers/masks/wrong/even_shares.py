"""Even shares of the allowed keys, whatever the scores.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: the allowed keys get even shares, whatever their scores
"""


def masked_softmax(scores, mask):
    m = mask.expand_as(scores).to(scores.dtype)
    return m / m.sum(-1, keepdim=True).clamp(min=1)

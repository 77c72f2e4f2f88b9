"""A fill of −1e20, full rows uniform, and too large for float16.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: a finite number is filled in
"""


def masked_softmax(scores, mask):
    return scores.masked_fill(~mask, -1e20).softmax(dim=-1)

"""True taken for masked out.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: True is read as masked out where it means may attend
"""


def masked_softmax(scores, mask):
    return scores.masked_fill(mask, -math.inf).softmax(-1).masked_fill(mask, 0.0)

"""Only the allowed keys are in the result.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: hidden keys are left out of the result
"""


def masked_softmax(scores, mask):
    allowed = scores[mask.expand_as(scores)]
    return allowed.softmax(-1)

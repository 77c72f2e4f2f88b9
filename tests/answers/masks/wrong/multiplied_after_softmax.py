"""The weights multiplied by the mask, not renormalised.

Loses: test-masked-softmax, test-full-row-policy, test-care
"""


def masked_softmax(scores, mask):
    return scores.softmax(-1) * mask

"""The weights multiplied by the mask, not renormalised.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: the mask comes after softmax, so that the weights no longer sum to 1
"""


def masked_softmax(scores, mask):
    return scores.softmax(-1) * mask

"""The weights multiplied by the mask and renormalised: 0/0 in a full row.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: the mask comes after softmax or its exponentials, and the weights are divided by what is left of their sum
"""


def masked_softmax(scores, mask):
    w = scores.softmax(-1) * mask
    return w / w.sum(-1, keepdim=True)

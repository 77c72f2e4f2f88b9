"""The scores multiplied by the mask: a hidden score becomes 0.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: hidden scores are set to 0 before softmax
"""


def masked_softmax(scores, mask):
    return (scores * mask).softmax(-1)

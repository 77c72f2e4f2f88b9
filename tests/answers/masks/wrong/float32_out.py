"""The result always in float32.

Loses: test-masked-softmax, test-care
Diagnosis: the weights come back in a dtype of their own
"""


def masked_softmax(scores, mask):
    return scores.float().masked_fill(~mask, -math.inf).softmax(-1).masked_fill(~mask, 0.0)

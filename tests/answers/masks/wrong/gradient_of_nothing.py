"""A gradient flows, but not that of the weights.

Loses: test-full-row-policy
Diagnosis: the weights are cut off from the scores on the way, so that no gradient comes back
"""


def masked_softmax(scores, mask):
    w = scores.detach().masked_fill(~mask, -math.inf).softmax(-1).masked_fill(~mask, 0.0)
    return w + 0 * scores

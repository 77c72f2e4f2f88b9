"""No gradient flows.

Loses: test-full-row-policy
Diagnosis: the weights are cut off from the scores on the way, so that no gradient comes back
"""


@torch.no_grad()
def masked_softmax(scores, mask):
    return scores.masked_fill(~mask, -math.inf).softmax(-1).masked_fill(~mask, 0.0)

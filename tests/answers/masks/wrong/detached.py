"""No gradient flows.

Loses: test-full-row-policy
"""


@torch.no_grad()
def masked_softmax(scores, mask):
    return scores.masked_fill(~mask, -math.inf).softmax(-1).masked_fill(~mask, 0.0)

"""The fill goes where the mask is False, the zeros where it is True.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: True is read as may attend in one step and as masked out in another
"""


def masked_softmax(scores, mask):
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights.masked_fill(mask, 0.0)

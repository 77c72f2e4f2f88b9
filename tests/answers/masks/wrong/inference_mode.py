"""In inference mode there are no gradients.

Loses: test-full-row-policy
Diagnosis: the weights are cut off from the scores on the way, so that no gradient comes back
"""


def masked_softmax(scores, mask):
    with torch.inference_mode():
        w = torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)
        return torch.nan_to_num(w)

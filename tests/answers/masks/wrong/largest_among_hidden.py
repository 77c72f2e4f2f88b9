"""The largest score, hidden or not, is taken off before softmax: where it is huge, nothing of the others is left.

Loses: test-masked-softmax
Diagnosis: the largest score is taken among hidden keys too
"""


def masked_softmax(scores, mask):
    stable = scores - scores.detach().max(dim=-1, keepdim=True).values
    stable = stable.masked_fill(~mask, -math.inf)
    return torch.softmax(stable, dim=-1).masked_fill(~mask, 0)

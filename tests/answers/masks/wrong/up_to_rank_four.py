"""Axes are put in front until there are four: scores of rank five find no place.

Loses: test-masked-softmax
Diagnosis: scores of more than four axes are not provided for
"""


def masked_softmax(scores, mask):
    x, m = scores, mask.expand_as(scores)
    while x.dim() < 4:
        x, m = x.unsqueeze(0), m.unsqueeze(0)
    N, h, T, S = x.shape
    weights = []
    for n in range(N):
        hidden = ~m[n].reshape(h, T, S)
        weights.append(x[n].masked_fill(hidden, -math.inf).softmax(-1).masked_fill(hidden, 0.0))
    return torch.stack(weights).reshape(scores.shape)

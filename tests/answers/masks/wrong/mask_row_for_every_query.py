"""Query by query, each with its own row of the mask.

Loses: test-masked-softmax
Diagnosis: the mask is taken to have a row for every query
"""


def masked_softmax(scores, mask):
    if scores.dim() == 1:
        return masked_softmax(scores[None], mask[None])[0]
    out = []
    for t in range(scores.shape[-2]):
        hidden = ~mask[..., t, :]
        w = scores[..., t, :].masked_fill(hidden, -math.inf).softmax(-1)
        out.append(w.masked_fill(hidden, 0.0))
    return torch.stack(out, dim=-2)

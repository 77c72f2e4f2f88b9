"""Softmax by hand that takes off the maximum of the whole tensor: in rows far below it nothing is left.

Loses: test-masked-softmax
Diagnosis: one maximum is subtracted from all rows alike
"""


def masked_softmax(scores, mask):
    x = scores.masked_fill(~mask, -math.inf)
    top = x.detach().max()
    if torch.isinf(top):
        top = torch.zeros_like(top)
    e = torch.exp(x - top)
    total = e.sum(dim=-1, keepdim=True)
    return e / total.masked_fill(total == 0, 1.0)

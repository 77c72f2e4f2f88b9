"""Over heads, every mask of rank two is taken for a padding mask (N, S).

Loses: test-masked-softmax
Diagnosis: a mask of two axes is taken for one of shape (N, S)
"""


def masked_softmax(scores, mask):
    if scores.dim() > 2 and mask.dim() == 2:
        mask = mask[:, None, None, :]
    hidden = ~mask
    return scores.masked_fill(hidden, -math.inf).softmax(-1).masked_fill(hidden, 0.0)

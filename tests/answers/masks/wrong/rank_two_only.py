"""Loops over the rows of a matrix, and of nothing else.

Loses: test-masked-softmax, test-full-row-policy
Diagnosis: only scores of two axes are provided for
"""


def masked_softmax(scores, mask):
    w = torch.zeros_like(scores)
    for i in range(scores.shape[0]):
        if mask[i].any():
            w[i, mask[i]] = scores[i, mask[i]].softmax(0)
    return w

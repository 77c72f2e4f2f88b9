"""One minus a mask of booleans, which PyTorch refuses.

Loses: test-masked-softmax, test-full-row-policy, test-care
Says: Subtraction, the `-` operator, with a bool tensor is not supported
"""


def masked_softmax(scores, mask):
    return (scores + (1 - mask) * -1e9).softmax(dim=-1)

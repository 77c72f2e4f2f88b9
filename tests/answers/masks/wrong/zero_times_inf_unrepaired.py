"""0 · (−inf) is NaN, and stays.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: mask and −inf are multiplied, and 0 · (−inf) is NaN
"""


def masked_softmax(scores, mask):
    x = scores * mask + (~mask) * float("-inf")
    return torch.softmax(x, dim=-1)

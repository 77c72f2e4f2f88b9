"""0 · (−inf) is NaN.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: mask and −inf are multiplied, and 0 · (−inf) is NaN
"""


def masked_softmax(scores, mask):
    return (scores + (~mask) * -math.inf).softmax(-1).nan_to_num(0.0)

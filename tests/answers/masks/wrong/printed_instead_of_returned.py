"""Prints and returns nothing.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: the result is not returned, whether it is printed or not
"""


def masked_softmax(scores, mask):
    print(scores.masked_fill(~mask, -math.inf).softmax(-1))

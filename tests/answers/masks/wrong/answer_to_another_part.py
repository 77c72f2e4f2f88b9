"""The report of part 1 instead.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: the answer to another part is returned
"""


def masked_softmax(scores, mask):
    return fill_report([0.0] * 4, {"a": [True] * 4}, {"b": 0.0})

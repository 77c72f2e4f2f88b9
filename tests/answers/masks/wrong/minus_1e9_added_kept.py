"""−1e9 added to hidden scores, full rows as if nothing were hidden.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: a large number is subtracted from hidden scores instead of replacing them
"""


def masked_softmax(scores, mask):
    return (scores + (1 - mask.float()) * -1e9).softmax(dim=-1)

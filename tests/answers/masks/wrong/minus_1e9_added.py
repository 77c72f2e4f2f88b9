"""−1e9 added to hidden scores, weights zeroed after softmax.

Loses: test-masked-softmax, test-care
Diagnosis: a large number is subtracted from hidden scores instead of replacing them
"""


def masked_softmax(scores, mask):
    bias = (1.0 - mask.float()) * -1e9
    return torch.softmax(scores + bias, dim=-1) * mask

"""The rows are written into zeros of the usual dtype, so float64 comes back as float32.

Loses: test-unshuffled
Diagnosis: the unshuffled rows come back as float32
"""


def unshuffled(y, permutation):
    result = torch.zeros(y.shape)
    for i in range(len(permutation)):
        result[permutation[i]] = y[i]
    return result

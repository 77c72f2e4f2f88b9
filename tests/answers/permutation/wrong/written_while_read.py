"""Not a copy but another name for y, read after it was written to.

Loses: test-unshuffled, test-comparison, test-positions, test-tokens-kept
Diagnosis: the rows are written into the tensor that they are read from
"""


def unshuffled(y, permutation):
    result = y
    for i in range(len(permutation)):
        result[permutation[i]] = y[i]
    return result

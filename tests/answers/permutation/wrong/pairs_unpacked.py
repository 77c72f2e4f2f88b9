"""Unpacks the numbers of the permutation as if they were pairs.

Loses: test-unshuffled, test-comparison, test-positions, test-tokens-kept
Says: cannot unpack non-iterable int object
"""


def unshuffled(y, permutation):
    before = torch.empty_like(y)
    for place, row in permutation:
        before[row] = y[place]
    return before

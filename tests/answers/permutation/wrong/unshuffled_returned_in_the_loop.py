"""`return` inside of the loop.

Loses: test-unshuffled, test-comparison, test-positions, test-tokens-kept
Diagnosis: the result is returned inside the loop, after the first row
"""


def unshuffled(y, permutation):
    before = torch.zeros_like(y)
    for place, row in enumerate(permutation):
        before[row] = y[place]
        return before

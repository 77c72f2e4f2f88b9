"""Each row found by `nonzero`, and the axes too many squeezed away, all of them.

Loses: test-unshuffled
Diagnosis: `squeeze` takes away an axis of length 1 that belongs there
"""


def unshuffled(y, permutation):
    p = torch.tensor(permutation)
    rows = [y[(p == token).nonzero()] for token in range(len(p))]
    return torch.stack(rows).squeeze()

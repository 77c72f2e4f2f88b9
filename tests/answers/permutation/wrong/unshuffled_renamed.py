"""`unshuffle` for `unshuffled`.

Loses: test-unshuffled, test-comparison, test-positions, test-tokens-kept
Diagnosis: unshuffled has another name, or the cell that defines it has not run to its end
"""

# %% unshuffled
def unshuffle(y, permutation):
    result = torch.zeros_like(y)
    for place, row in enumerate(permutation):
        result[row] = y[place]
    return result

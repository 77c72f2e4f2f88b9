"""`same_after_unshuffle`: the last letters are missing.

Loses: test-comparison, test-positions
Diagnosis: same_after_unshuffling has another name, or the cell that defines it has not run to its end
"""

# %% same-after-unshuffling
def same_after_unshuffle(y, y_shuffled, permutation):
    return torch.allclose(y, unshuffled(y_shuffled, permutation), atol=1e-5)

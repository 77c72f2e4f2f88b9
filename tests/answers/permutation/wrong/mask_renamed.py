"""`move_along` for `moved_along`.

Loses: test-moved-along
Diagnosis: moved_along has another name, or the cell that defines it has not run to its end
"""

# %% moved-along
def move_along(mask, permutation):
    return mask[permutation][:, permutation]

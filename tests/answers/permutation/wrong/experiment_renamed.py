"""`is_equivariant` with a typing slip.

Loses: test-positions
Diagnosis: is_equivariant has another name, or the cell that defines it has not run to its end
"""

# %% is-equivariant
def is_equivarient(x, permutation, w_q, w_k, w_v, positions=None):
    if positions is None:
        positions = torch.zeros_like(x)
    y = self_attention(x + positions, w_q, w_k, w_v)
    z = self_attention(x[permutation] + positions, w_q, w_k, w_v)
    return same_after_unshuffling(y, z, permutation)

"""Moves a causal mask, whatever mask is given.

Loses: test-moved-along
Diagnosis: the mask is taken for a causal one, whatever it holds
"""


def moved_along(mask, permutation):
    T = len(permutation)
    return torch.tensor([[permutation[j] <= permutation[i] for j in range(T)] for i in range(T)])

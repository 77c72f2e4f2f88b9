"""One zero missing: 1e-4.

Loses: test-comparison
Diagnosis: the tolerance is wider than 1e-5
"""


def same_after_unshuffling(y, y_shuffled, permutation):
    back = unshuffled(y_shuffled, permutation)
    return torch.isclose(back, y, rtol=0, atol=0.0001).all().item()

"""The root of d in whole numbers: right for squares alone.

Loses: test-scaled-peaks
Diagnosis: the root of d is cut down to a whole number
"""


def average_peaks(d, n_draws, n_keys):
    raw = scaled = 0.0
    for _ in range(n_draws):
        scores = torch.randn(1, d) @ torch.randn(n_keys, d).T
        raw += scores.softmax(dim=1).max().item() / n_draws
        scaled += (scores / math.isqrt(d)).softmax(dim=1).max().item() / n_draws
    return {"raw": raw, "scaled": scaled}

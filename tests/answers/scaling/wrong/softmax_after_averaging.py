"""The scores are averaged over the draws, and softmax comes after.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: the scores are averaged over the draws, and softmax comes after
"""


def average_peaks(d, n_draws, n_keys):
    s = sum(torch.randn(1, d) @ torch.randn(n_keys, d).T for _ in range(n_draws)) / n_draws
    return {"raw": s.softmax(-1).max().item(), "scaled": (s / math.sqrt(d)).softmax(-1).max().item()}

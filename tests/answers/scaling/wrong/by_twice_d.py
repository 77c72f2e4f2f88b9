"""The root written as d**1/2.

Loses: test-scaled-peaks, test-peak-table
Diagnosis: the scores are divided by 2d: in `d ** 1 / 2` the power comes before the division
"""


def average_peaks(d, n_draws, n_keys):
    raw, scaled = [], []
    for _ in range(n_draws):
        s = torch.randn(1, d) @ torch.randn(n_keys, d).T
        raw.append(torch.softmax(s, -1).max())
        scaled.append(torch.softmax(s / d**1/2, -1).max())
    return {"raw": sum(raw) / n_draws, "scaled": sum(scaled) / n_draws}

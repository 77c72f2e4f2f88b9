"""The sums begin at 0 inside the loop, so the last draw alone is left in them.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: a single draw is counted and divided by n_draws: the function returns inside the loop, or each draw
    sets the sums back instead of adding to them
"""


def average_peaks(d, n_draws, n_keys):
    for _ in range(n_draws):
        raw = 0
        scaled = 0
        s = torch.randn(1, d) @ torch.randn(n_keys, d).T
        raw += s.softmax(-1).max().item()
        scaled += (s / d**0.5).softmax(-1).max().item()
    return {"raw": raw / n_draws, "scaled": scaled / n_draws}

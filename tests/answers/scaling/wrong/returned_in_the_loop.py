"""The return is indented once too often.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: a single draw is counted and divided by n_draws: the function returns inside the loop, or each draw
    sets the sums back instead of adding to them
"""


def average_peaks(d, n_draws, n_keys):
    raw = 0
    scaled = 0
    for _ in range(n_draws):
        q = torch.randn(1, d)
        k = torch.randn(n_keys, d)
        s = q @ k.T
        raw += s.softmax(-1).max().item()
        scaled += (s / math.sqrt(d)).softmax(-1).max().item()
        return {"raw": raw / n_draws, "scaled": scaled / n_draws}

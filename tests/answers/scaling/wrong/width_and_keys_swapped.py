"""Keys of shape (d, n_keys) are drawn as if that were (n_keys, d), and the query to match.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: d and n_keys have changed places
"""


def average_peaks(d, n_draws, n_keys):
    raw = scaled = 0.0
    for _ in range(n_draws):
        q = torch.randn(1, n_keys)
        k = torch.randn(d, n_keys)
        s = q @ k.T
        raw += s.softmax(-1).max().item()
        scaled += (s / math.sqrt(n_keys)).softmax(-1).max().item()
    return {"raw": raw / n_draws, "scaled": scaled / n_draws}

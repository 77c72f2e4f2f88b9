"""Formatted, as for printing.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Says: as a str
"""


def average_peaks(d, n_draws, n_keys):
    raw = scaled = 0
    for _ in range(n_draws):
        s = torch.randn(1, d) @ torch.randn(n_keys, d).T
        raw += s.softmax(-1).max().item()
        scaled += (s / math.sqrt(d)).softmax(-1).max().item()
    return {"raw": f"{raw / n_draws:.4f}", "scaled": f"{scaled / n_draws:.4f}"}

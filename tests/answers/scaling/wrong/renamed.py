"""The function goes by a name of the student's own.

Loses: test-raw-peaks, test-scaled-peaks
Diagnosis: the function has another name, or the cell that defines it has not run to its end
"""


# %% average-peaks
def avg_peaks(d, n_draws, n_keys):
    raw = scaled = 0.0
    for _ in range(n_draws):
        s = torch.randn(1, d) @ torch.randn(n_keys, d).T
        raw += s.softmax(-1).max().item()
        scaled += (s / math.sqrt(d)).softmax(-1).max().item()
    return {"raw": raw / n_draws, "scaled": scaled / n_draws}


# %% show-average-peaks
print(avg_peaks(16, 200, 200))


# %% peak-table
def peak_table(widths, n_draws, n_keys):
    rows = [avg_peaks(d, n_draws, n_keys) for d in widths]
    return {"d": widths, "raw": [r["raw"] for r in rows], "scaled": [r["scaled"] for r in rows]}

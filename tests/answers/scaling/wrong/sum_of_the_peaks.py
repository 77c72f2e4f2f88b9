"""The peaks are added up, and that is that.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: the sum of the peaks is not divided by the number of draws
"""


def average_peaks(d, n_draws, n_keys):
    raw, scaled = 0.0, 0.0
    for i in range(n_draws):
        q, k = torch.randn(d), torch.randn(n_keys, d)
        scores = k @ q
        raw = raw + float(scores.softmax(0).max())
        scaled = scaled + float((scores / d**0.5).softmax(0).max())
    return {"raw": raw, "scaled": scaled}

"""The dict is made and left lying.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: nothing is returned (printing a result does not return it)
"""


def average_peaks(d, n_draws, n_keys):
    raws, scaleds = [], []
    for _ in range(n_draws):
        s = torch.randn(n_keys, d) @ torch.randn(d)
        raws.append(s.softmax(0).max().item())
        scaleds.append((s / math.sqrt(d)).softmax(0).max().item())
    result = {"raw": sum(raws) / n_draws, "scaled": sum(scaleds) / n_draws}

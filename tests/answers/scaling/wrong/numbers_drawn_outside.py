"""The random numbers are drawn once, when the cell is run, and each call takes its part of them.

Loses: test-raw-peaks, test-scaled-peaks, test-peak-table
Diagnosis: the same random numbers come in every call, because of a seed inside or of numbers drawn only once, outside
"""


all_numbers = torch.randn(1_000_000)


def average_peaks(d, n_draws, n_keys):
    place = 0

    def take(rows):
        nonlocal place
        index = torch.arange(place, place + rows * d) % len(all_numbers)
        place += rows * d
        return all_numbers[index].view(rows, d)

    raw = scaled = 0
    for _ in range(n_draws):
        s = take(1) @ take(n_keys).T
        raw += s.softmax(-1).max().item() / n_draws
        scaled += (s / math.sqrt(d)).softmax(-1).max().item() / n_draws
    return {"raw": raw, "scaled": scaled}

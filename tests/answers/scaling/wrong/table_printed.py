"""A beautiful table on the screen.

Loses: test-peak-table
Diagnosis: nothing is returned (printing a result does not return it)
"""


def peak_table(widths, n_draws, n_keys):
    print("   d     raw  scaled")
    for d in widths:
        p = average_peaks(d, n_draws, n_keys)
        print(f"{d:4}  {p['raw']:.4f}  {p['scaled']:.4f}")

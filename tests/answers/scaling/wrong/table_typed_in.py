"""The table of the text, whatever widths are asked for.

Loses: test-peak-table
Diagnosis: a table that was typed in, or kept from an earlier run, is returned
"""


def peak_table(widths, n_draws, n_keys):
    return {
        "d": [16, 64, 256, 1024],
        "raw": [0.4836, 0.7491, 0.8814, 0.9472],
        "scaled": [0.0489, 0.0524, 0.0546, 0.0479],
    }

"""Softmax by hand in NumPy, and every exponential of a full row is 0.

Loses: test-full-rows
Diagnosis: softmax is written out, and all its exponentials come out as 0
"""

import numpy as np


def fill_report(logits, rows, fills):
    report = {}
    for row in rows:
        report[row] = {}
        for fill in fills:
            filled = np.array(logits)
            filled[rows[row]] = fills[fill]
            report[row][fill] = np.exp(filled) / np.exp(filled).sum()
    return report

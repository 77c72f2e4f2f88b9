"""Each word in a NumPy array of shape (1,).

Loses: test-trends
Diagnosis: each word is wrapped in a list or array
"""


import numpy as np


def trends(table):
    words = {}
    for name in ("raw", "scaled"):
        c = np.array(table[name])
        steps = np.diff(c)
        conditions = [[c.max() <= 1.25 * c.min()], [(steps > 0).all()], [(steps < 0).all()]]
        words[name] = np.select(conditions, ["flat", "rising", "falling"], "mixed")
    return words

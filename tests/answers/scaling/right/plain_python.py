"""No tensor anywhere: lists and loops, scores drawn by the law they follow, running means instead of sums."""

import random


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def largest_weight(scores):
    top = max(scores)
    return 1 / sum(math.exp(score - top) for score in scores)


def average_peaks(d, n_draws, n_keys):
    raw, scaled = 0.0, 0.0
    for n in range(1, n_draws + 1):
        query = [random.gauss(0, 1) for _ in range(d)]
        # A score sees of a key only its part along the query, and that is standard normal again.
        length = math.sqrt(dot(query, query))
        scores = [length * random.gauss(0, 1) for _ in range(n_keys)]
        raw += (largest_weight(scores) - raw) / n
        scaled += (largest_weight([s / d**0.5 for s in scores]) - scaled) / n
    return {"raw": raw, "scaled": scaled}

"""Calls that tell the known mistakes of this exercise apart."""

import math

import torch

from helpers.reasons import Probe

T, F = True, False
LOWEST = torch.finfo(torch.float32).min


# -- Part 1 ----------------------------------------------------------------------------------


def weights(row, fill, *inputs):
    return Probe("fill_report", inputs, (row, fill), "numbers")


TWO_ROWS = [0.0, 1.0, 6.0], {"a": [F, F, T], "b": [T, F, F]}, {"x": -math.inf, "y": 0.5}
FULL = [0.0, 1.0, 2.0], {"a": [T, T, T]}, {"x": -math.inf, "y": -1e4, "z": 1.5}
FOUR = [0.0, 1.0, 2.0, 0.5], {"a": [F, F, T, T]}, {"x": -math.inf}
FOUR_FULL = [0.0, 1.0, 2.0, 0.5], {"a": [T, T, T, T]}, {"x": 0.5}
LARGE = [0.0, 1.0, 200.0], {"a": [F, F, T]}, {"x": -2.0}
PARTIAL = [0.0, 1.0, 2.0], {"a": [F, F, T]}, {"x": -math.inf, "z": 1.5}


# -- Part 2 ----------------------------------------------------------------------------------


def error(fill, dtype):
    return Probe("fill_error", (fill, dtype))


# -- Part 3 ----------------------------------------------------------------------------------


def softmax(scores, mask, upstream=None, dtype=torch.float32, untouched=False):
    inputs = torch.tensor(scores, dtype=dtype), torch.tensor(mask)
    back = None if upstream is None else torch.tensor(upstream)
    return Probe("masked_softmax", inputs, upstream=back, untouched=untouched)


PROBES = {
    "test-partial-rows": [
        *(weights(row, fill, *TWO_ROWS) for row in "ab" for fill in "xy"),
        weights("a", "z", *FULL),
        weights("a", "x", *FOUR),  # what is made for four logits alone
        weights("a", "x", *LARGE),
    ],
    "test-full-rows": [
        *(weights("a", fill, *FULL) for fill in "xyz"),
        *(weights("a", fill, *PARTIAL) for fill in "xz"),
        weights("a", "x", *FOUR),
        weights("a", "x", *FOUR_FULL),
        weights("a", "x", *LARGE),
    ],
    "test-half-precision": [
        error(-1e9, "float32"),
        error(-1e9, "float16"),
        error(3e8, "bfloat16"),
        error(-5e4, "float16"),
        error(math.inf, "float16"),
        error(-1e200, "float32"),
        error(-1e200, "float64"),
        error(-math.inf, "float16"),
        error("no number", "float32"),  # whether anything is tried out at all
        error("no number", "float16"),
    ],
    "test-masked-softmax": [
        softmax([1.0, 2.0, 4.0], [T, T, F]),
        softmax([[0.0, 1.0, 200.0], [1.0, 0.0, 0.5]], [[T, T, F], [T, F, T]]),
        softmax([[[[1.0, 2.0], [0.0, 3.0]]]], [[[[T, F]]]]),
        softmax([[[[1.0, 2.0, 4.0], [0.0, 1.0, 3.0]]]], [[T, T, F], [F, T, T]]),
        softmax([[[[[1.0, 2.0]]]]], [[[[[T, F]]]]]),
        softmax([1e8, 1e8 + 1, 0.0], [T, T, F], dtype=torch.float64),
        softmax([-2e38, 0.0], [T, F]),
        softmax([1e25, 0.0, 1.0], [F, T, T]),
        softmax([[250.0, 250.0], [0.0, 1.0]], [[T, T], [T, T]]),
    ],
    "test-full-row-policy": [
        softmax([[0.0, 1.0, 2.0], [1.0, 2.0, 3.0]], [[T, T, F], [F, F, F]], [[3.0, 1.0, 2.0], [1.0, 2.0, 4.0]]),
        softmax([[[0.0, 1.0], [2.0, 1.0]]], [[[F, T], [F, F]]], [[[1.0, 2.0], [1.0, 2.0]]]),
        softmax([1.0, 2.0], [F, F], [1.0, 2.0]),
        softmax([[0.0, 1.0], [2.0, 1.0]], [[T, T], [F, F]], [[1.0, 2.0], [1.0, 2.0]]),
        softmax([0.0, 1.0, 500.0], [T, T, F], [2.0, 1.0, 1.0]),
        softmax([200.0, 201.0], [T, T], [1.0, 2.0]),
        softmax([LOWEST, 0.0], [T, F]),
    ],
    "test-care": [
        softmax([[0.0, 1.0, 2.0], [3.0, 1.0, 2.0]], [[T, T, F], [T, F, T]], dtype=torch.float16),
        softmax([0.0, 1.0, 2.0], [T, T, F], dtype=torch.bfloat16),
        softmax([1e8, 1e8 + 1, 0.0], [T, T, F], dtype=torch.float64, untouched=True),
        softmax([0.0, 200.0], [T, F], dtype=torch.float16),
        softmax([0.0, 1.0], [F, F], dtype=torch.float16),
        softmax([0.0, 1.0], [T, T], dtype=torch.float16),
        softmax([[0.0, 1.0], [1.0, 0.0]], [[T, T], [F, F]], dtype=torch.float16),
        softmax([0.0, 1.0], [F, F]),
        softmax([-2e9, 0.0], [T, F]),
    ],
}

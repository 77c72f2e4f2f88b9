"""Calls that tell the known mistakes of this exercise apart."""

from helpers.reasons import Probe


def peaks(name):
    return [
        Probe("average_peaks", (5, 3, 1), (name,), "number", repeat=2),
        Probe("average_peaks", (64, 20, 10), (name,), "number", repeat=16),
        Probe("average_peaks", (9, 20, 100), (name,), "number", repeat=16),
    ]


PROBES = {
    "test-raw-peaks": peaks("raw"),
    "test-scaled-peaks": peaks("scaled"),
}

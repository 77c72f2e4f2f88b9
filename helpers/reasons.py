"""Why a graded cell fails, in words: what a student's function gives, beside what known mistakes give.

`mistakes/EXERCISE.json` holds, for each graded cell, its name and points, a few *probes* (a
function of the student's and plain inputs for it) and for each known mistake what comes out of the
probes when it is made: numbers, no code. When a cell fails, the student's functions are probed too,
and a mistake that gives the same is named. So a failure on an input that nobody may see is explained
by inputs that everybody may.
"""

import functools
import json
import math
import random
import statistics
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from IPython.utils.capture import capture_output
from torch import Tensor

from helpers.observer import Observation, describe, number, numbers, observe, truth
from helpers.phrases import MANY_FIT, NO_FUNCTION, ONE_FITS

SEED = 0
"""Every graded cell draws from a seed of its own, and all of them hang on this one number."""

PATIENCE = 10
"""Seconds for finding out which mistake it is: a slow function is told no more than the test's sentence."""

MISTAKES = Path(__file__).parent / "mistakes"


def seed(cell: str) -> int:
    """The seed that the graded cell of this name begins with."""
    return zlib.crc32(f"{SEED} {cell}".encode())


def explained(exercise: str) -> Callable[[Callable], Callable]:
    """Decorate the test of a graded cell: it begins from its seed, and when it fails it says why.

    A cell's name is that of its test, with `-` for `_`.

    Args:
        exercise: the name of the exercise, whose known mistakes are compared with.

    Returns:
        A decorator. The test's `AssertionError` then also names the known mistakes that fit; a
        student's function that is missing is an `AssertionError` too.
    """

    def decorate(test: Callable) -> Callable:
        cell = test.__name__.replace("_", "-")

        @functools.wraps(test)
        def explained_test() -> Any:
            random.seed(seed(cell))
            np.random.seed(seed(cell))
            torch.manual_seed(seed(cell))
            try:
                return test()
            except AssertionError as failure:
                failure.args = (f"{failure}{_reason(exercise, cell, test.__globals__)}",)
                raise
            except NameError as error:
                missing = error.name
                if all(probe.call != missing for probe in probes(exercise, cell)):
                    raise
            raise AssertionError(
                f"{NO_FUNCTION} {missing} in this notebook; expected one of just this name. Was the"
                " cell that defines it run, and to its end? (A slip of syntax or indentation in it leaves"
                f" the function undefined.){_reason(exercise, cell, test.__globals__)}"
            )

        return explained_test

    return decorate


def named(exercise: str, text: str) -> list[str]:
    """The known mistakes of an exercise that a text names, such as a message or a feedback page."""
    every = {mistake["when"] for cell in _known(exercise).values() for mistake in cell["mistakes"]}
    return sorted(when for when in every if when in text)


@dataclass(frozen=True)
class Probe:
    """A call that tells mistakes apart."""

    call: str
    """The name of the student's function."""

    inputs: tuple
    """Plain data."""

    at: tuple = ()
    """Where in the result to look: keys and indices, from the outside in."""

    read: str = ""
    """How to look at it: a key of `READ`; "" for as it is."""

    repeat: int = 0
    """For what is drawn at random: the number of calls whose average and scatter are taken."""

    upstream: Tensor | None = None
    """If given, look at the inputs' gradients too, of the result weighted by this."""

    untouched: bool = False
    """Whether to look at the inputs after the call too."""

    def behaviour(self, functions: Mapping[str, Callable]) -> Any:
        """What comes of the call, as JSON can hold it."""
        if self.repeat:
            calls = [self._look(self._observe(functions)) for _ in range(self.repeat)]
            if all(isinstance(value, float) and math.isfinite(value) for value in calls):
                return {"mean": statistics.fmean(calls), "scatter": statistics.stdev(calls)}
            return _form(calls[0])
        seen = self._observe(functions)
        looked = {"result": self._look(seen)}
        if self.upstream is not None:
            looked["gradients"] = written(seen.gradients)
        if self.untouched:
            looked["inputs"] = written(seen.inputs)
        return looked

    def _observe(self, functions: Mapping[str, Callable]) -> Observation:
        if self.call not in functions:
            return Observation(self.call, error="no such function")  # which no exception is called
        return observe(functions[self.call], *self.inputs, upstream=self.upstream)

    def _look(self, seen: Observation) -> Any:
        if seen.error is not None:  # many slips raise the same; fewer say the same
            return {"raises": seen.error, "says": seen.message.partition("\n")[0][:120]}
        if seen.not_plain:
            return {"form": seen.not_plain}
        value = seen.result
        try:
            for key in self.at:
                value = value[key]
            return written(READ[self.read](value))
        except Exception:  # not of the form asked for: how it is instead tells mistakes apart as well
            return _form(written(value))


def _names(value: Any) -> Any:
    return {key: _names(item) for key, item in value.items()} if isinstance(value, dict) else "…"


READ: dict[str, Callable[[Any], Any]] = {
    "": lambda value: value,
    "number": number,
    "numbers": numbers,
    "numbers in any order": lambda value: sorted(numbers(value)),
    "names": _names,
    "truth": truth,
}
"""How a probe looks at a result, so that answers of every style that mean the same look the same."""


# -- Plain data in JSON ----------------------------------------------------------------------


def written(value: Any, digits: int = 6) -> Any:
    """Plain data as JSON can hold it, floats to so many digits; what is not plain, in a few words."""
    if isinstance(value, Tensor | np.ndarray):
        kind = "tensor" if isinstance(value, Tensor) else "array"
        dtype = str(value.dtype).removeprefix("torch.")
        return {kind: written(value.tolist(), digits), "shape": list(value.shape), "dtype": dtype}
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return float(f"{value:.{digits}g}")
    if isinstance(value, int) and abs(value) >= 2**63:
        return {"form": "a number too large for a float"}
    if isinstance(value, list):
        return [written(item, digits) for item in value]
    if isinstance(value, tuple):
        return {"tuple": written(list(value), digits)}
    if isinstance(value, dict):
        return {"dict": [[written(key, digits), written(item, digits)] for key, item in value.items()]}
    return value if value is None or isinstance(value, int | str) else {"form": describe(value)}


def read(value: Any) -> Any:
    """What was `written`, as it was."""
    if isinstance(value, dict) and "tensor" in value:
        return torch.tensor(value["tensor"], dtype=getattr(torch, value["dtype"])).reshape(value["shape"])
    if isinstance(value, dict) and "tuple" in value:
        return tuple(map(read, value["tuple"]))
    if isinstance(value, dict):
        return {read(key): read(item) for key, item in value["dict"]}
    return [read(item) for item in value] if isinstance(value, list) else value


def agrees(got: Any, known: Any, rtol: float = 1e-3) -> bool:
    """Whether two things that were `written` are the same, numbers to about three digits.

    A known number may be a range, `{"from": low, "to": high}`.
    """
    if _is_number(got) and isinstance(known, dict) and "from" in known:
        return known["from"] <= got <= known["to"]
    if _is_number(got) and _is_number(known):
        both_nan = math.isnan(got) and math.isnan(known)
        return both_nan or math.isclose(got, known, rel_tol=rtol, abs_tol=1e-6)
    if isinstance(got, list) and isinstance(known, list):
        return len(got) == len(known) and all(agrees(a, b, rtol) for a, b in zip(got, known))
    if isinstance(got, dict) and isinstance(known, dict):
        if got.get("dtype") in ("float16", "bfloat16"):
            rtol = 0.02
        return got.keys() == known.keys() and all(agrees(got[k], known[k], rtol) for k in got)
    return type(got) is type(known) and got == known


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _form(value: Any) -> Any:
    """Of something `written`, what it is without its numbers, and without what holds them: a list or a tensor."""
    if _is_number(value):
        return "a number" if math.isfinite(value) else str(value)
    if isinstance(value, list):
        return [_form(item) for item in value]
    if isinstance(value, dict):
        held = value.get("tensor", value.get("array"))
        return {key: _form(item) for key, item in value.items()} if held is None else _form(held)
    return value


# -- The known mistakes ----------------------------------------------------------------------


@functools.cache
def _known(exercise: str) -> dict[str, dict]:
    """The cells of an exercise with their probes and mistakes; of one that is new, none yet."""
    file = MISTAKES / f"{exercise}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def probes(exercise: str, cell: str) -> list[Probe]:
    """The probes of a graded cell."""
    stored = _known(exercise).get(cell, {"probes": []})["probes"]
    return [Probe(**{name: read(value) for name, value in probe.items()}) for probe in stored]


def _reason(exercise: str, cell: str, functions: Mapping[str, Callable]) -> str:
    """The known mistakes that fit, in a sentence; empty where none does."""
    mistakes = _known(exercise).get(cell, {"mistakes": []})["mistakes"]
    until = time.monotonic() + PATIENCE
    with capture_output():  # what the student's functions print now was not asked for
        for number, probe in enumerate(probes(exercise, cell)):
            if time.monotonic() > until:
                return ""
            if not mistakes:
                break
            given = probe.behaviour(functions)
            mistakes = [mistake for mistake in mistakes if agrees(given, mistake["gives"][number])]
    fit = list(dict.fromkeys(mistake["when"] for mistake in mistakes))
    if not fit:
        return ""
    if len(fit) == 1:
        return f" {ONE_FITS} {fit[0]}."
    return f" {MANY_FIT}: {'; or '.join(fit)}."

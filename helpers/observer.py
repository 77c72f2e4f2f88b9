"""What a graded cell may know of an answer: plain data, seen from outside.

A graded cell hands plain data to a student's function (numbers, strings, lists, dicts, tensors)
and gets plain data back. `observe` makes the call and says what came of it, `number`, `numbers`,
`truth` and `mismatch` look at a value before it is compared: its type, its rank, its dtype;
`describe` tells it in a few words.
"""

import copy
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from helpers.phrases import NOT_ANSWERED, RETURN_EXPECTED


@dataclass(frozen=True)
class Observation:
    """What came of one call."""

    name: str
    """The name of the function."""

    result: Any = None
    """What it returned, detached; None where it raised."""

    inputs: tuple = ()
    """The inputs as the call left them."""

    gradients: tuple = ()
    """For each input the gradient that reached it, None where none did."""

    error: str | None = None
    """The name of the exception's type; None where nothing was raised."""

    message: str = ""
    """What the exception said."""

    raised_in: str = ""
    """The name of the function that raised it: this one, or one that it called."""

    raised_at: str = ""
    """Where in the function's cell: the number of the line, and the line."""

    not_plain: str = ""
    """What it returned, in a few words, where that is not plain data."""

    def returned(self) -> Any:
        """The result, or an `AssertionError` that says which exception came instead."""
        if self.error == "NotImplementedError" and not self.message:  # as the exercise leaves it
            asked = "" if self.raised_in == self.name else f", called from {self.name}"
            raise AssertionError(
                f"The function {self.raised_in} {NOT_ANSWERED}: it raised NotImplementedError{asked}."
                " (If you have answered it: does the line that raises it still stand there?)"
            )
        if self.error is not None:
            said = ": ".join(filter(None, (self.raised_at, self.message)))
            raise AssertionError(
                f"The function {self.name} raised {self.error} ({said}); {RETURN_EXPECTED}. "
                "Call it with the same kind of input in a cell of your own to see where."
            )
        if self.not_plain:
            raise AssertionError(
                f"The function {self.name} returned {self.not_plain}; expected plain data: numbers,"
                " strings, lists, dicts or tensors."
            )
        return self.result

    def entry(self, *path: Any) -> Any:
        """What stands in the result under these keys, from the outside in.

        Raises:
            AssertionError: nothing was returned, or there is no such entry; it says what is there.
        """
        value = self.returned()
        for depth, key in enumerate(path):
            if not isinstance(value, dict) or key not in value:
                keys = f", with the keys {list(value)!s:.80}" if isinstance(value, dict) else ""
                inside = "".join(f"[{above!r}]" for above in path[:depth])
                raise AssertionError(
                    f"Got {f'the entry {inside} of ' if inside else ''}the result of {self.name} as"
                    f" {describe(value)}{keys}; expected a dict with an entry {key!r}. Are the names"
                    " spelt as they were given?"
                )
            value = value[key]
        return value


def observe(function: Callable, *inputs: Any, upstream: Tensor | None = None) -> Observation:
    """Call `function` on copies of the inputs.

    Args:
        function: the one callable a graded cell ever passes on.
        inputs: plain data. They are copied, so a function that writes into them spoils nothing;
            what it wrote is in `Observation.inputs`.
        upstream: of the result's shape. If given, the result is differentiated, weighted by it,
            with respect to each floating-point tensor among the inputs. (Weights that sum to 1
            have no gradient under equal upstream weights: choose unequal ones.)

    Returns:
        The `Observation`. An exception is data too; a warning is kept quiet, because nbgrader
        takes anything on stderr for a failure.
    """
    name = getattr(function, "__name__", "the function")
    sources = [_source(value, upstream is not None) for value in inputs]
    with torch.enable_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # A clone of the source may be written into, and the gradient still reaches the source.
        handed = [s.clone() if isinstance(s, Tensor) else s for s in sources]
        try:
            returned = function(*handed)
            gradients = () if upstream is None else _gradients(returned, sources, upstream)
        except Exception as error:
            raised, message = type(error).__name__, str(error)
            *_, (frame, _) = traceback.walk_tb(error.__traceback__)
            file = getattr(getattr(function, "__code__", None), "co_filename", None)
            lines = [f"line {at.lineno}, `{at.line:.60}`" for at in traceback.extract_tb(error.__traceback__) if at.filename == file]
            return Observation(
                name,
                inputs=_left(handed),
                error=raised,
                message=message,
                raised_in=frame.f_code.co_name,
                raised_at=lines[-1] if lines else "",
            )
        try:
            result, not_plain = _plain(returned), ""
        except TypeError as error:
            whole, part = describe(returned), str(error)
            result, not_plain = None, part if part == whole else f"{whole} with {part} in it"
        return Observation(name, result, _left(handed), gradients, not_plain=not_plain)


def number(value: Any, what: str = "the result") -> float:
    """A single real number as a float: a Python or NumPy number, or a tensor or array of rank 0.

    It may still be NaN or infinite. Compare it so that NaN fails: `low <= x <= high`.
    `what` is what a message calls the value: best with the name of the function it comes from.

    Raises:
        AssertionError: it is anything else.
    """
    got = describe(value)
    if isinstance(value, Tensor | np.ndarray | np.generic) and value.ndim == 0:
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise AssertionError(
            f"Got {what} as {got}; expected a single number, of Python's or in a tensor of shape ()."
        )
    try:
        return float(value)
    except OverflowError:
        raise AssertionError(
            f"Got {what} as a number too large for a float; expected one of usual size."
        ) from None


def numbers(values: Any, what: str = "the result") -> list[float]:
    """A row of real numbers as floats: a list or tuple of numbers, or a tensor or array of rank 1.

    `what` is what a message calls the row.

    Raises:
        AssertionError: it is anything else.
    """
    rank_1 = isinstance(values, Tensor | np.ndarray) and values.ndim == 1
    if not rank_1 and not isinstance(values, list | tuple):
        raise AssertionError(
            f"Got {what} as {describe(values)}; expected a list of numbers, or a tensor of shape (n,)."
        )
    return [number(value, f"entry {place} of {what}") for place, value in enumerate(values)]


def truth(value: Any, what: str = "the result") -> bool:
    """A single yes or no: a Python or NumPy boolean, or a boolean tensor or array of rank 0.

    `what` is what a message calls the value.

    Raises:
        AssertionError: it is anything else, 0 and 1 included.
    """
    got = describe(value)
    if isinstance(value, Tensor | np.ndarray | np.generic) and value.ndim == 0:
        value = value.item()
    if not isinstance(value, bool):
        raise AssertionError(
            f"Got {what} as {got}; expected True or False, of Python's or in a tensor of shape ()."
        )
    return value


def mismatch(got: Any, expected: Tensor, atol: float = 0.0) -> str:
    """In what `got` differs from `expected`, without giving away a value; empty if in nothing.

    Type, shape and dtype must be the same, NaN and infinities stand where they are expected, and
    the rest agree to half the digits of the dtype: slips of rounding pass, on any processor, and
    slips of thought do not. An expected 0 has to be an exact one unless `atol` says otherwise.
    """
    if not isinstance(got, Tensor):
        return f"it is {describe(got)} instead of a tensor"
    if got.shape != expected.shape:
        return f"its shape is {tuple(got.shape)} instead of {tuple(expected.shape)}"
    if got.dtype != expected.dtype:
        return f"its dtype is {got.dtype} instead of {expected.dtype}"
    dtype = expected.dtype
    rounded = dtype.is_floating_point or dtype.is_complex
    far = ~torch.isclose(
        got.to(torch.complex128 if dtype.is_complex else torch.double),
        expected.to(torch.complex128 if dtype.is_complex else torch.double),
        rtol=torch.finfo(dtype).eps ** 0.5 if rounded else 0.0,
        atol=atol,
        equal_nan=True,
    )
    if far.any():
        entry = far.nonzero()[0].tolist()
        count = f"{int(far.sum())} of {far.numel()} entries differ"
        value = got[tuple(entry)].item()
        return f"{count}, the first at {entry}, where it is {value:{'.4g' if rounded else ''}}"
    return ""


def describe(value: Any) -> str:
    """A value in a few words: what it is, and its shape where it has one."""
    if value is None:
        return "None (does the function end in `return`?)"
    kind = type(value).__name__
    article = "an" if kind[0].lower() in "aeiou" or kind == "ndarray" else "a"
    if isinstance(value, Tensor | np.ndarray):
        return f"{article} {kind} of shape {tuple(value.shape)} and dtype {value.dtype}"
    if isinstance(value, list | tuple | dict):
        return f"{article} {kind} of length {len(value)}"
    shown = repr(value)
    return f"{article} {kind}" if " at 0x" in shown else f"{article} {kind}, {shown:.60}"


def _source(value: Any, differentiable: bool) -> Any:
    if not isinstance(value, Tensor):
        return copy.deepcopy(value)
    source = value.detach().clone()
    return source.requires_grad_(differentiable and source.is_floating_point())


def _gradients(returned: Any, sources: list, upstream: Tensor) -> tuple:
    wanted = [s for s in sources if isinstance(s, Tensor) and s.requires_grad]
    found = [None] * len(wanted)
    if isinstance(returned, Tensor) and returned.requires_grad and returned.shape == upstream.shape:
        try:
            found = torch.autograd.grad(
                returned, wanted, upstream.to(returned.dtype), allow_unused=True
            )
        except RuntimeError as error:
            raise RuntimeError(f"on the way back, for the gradients: {error}") from error
    by_source = {id(source): gradient for source, gradient in zip(wanted, found)}
    return tuple(by_source.get(id(source)) for source in sources)


def _plain(value: Any) -> Any:
    """A copy, made of plain data only: of a subclass, what its base holds, whatever it overrides."""
    if isinstance(value, Tensor):
        return Tensor.detach(Tensor.as_subclass(value, Tensor)).clone()
    if isinstance(value, np.ndarray | np.generic) and value.dtype != object:
        return np.array(value, subok=False)[()]
    for kind, copied in ((int, int.__index__), (float, float.__float__), (str, str.__str__)):
        if isinstance(value, kind) and not isinstance(value, bool):
            return copied(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, list | tuple):
        return (list if isinstance(value, list) else tuple)(_plain(item) for item in value)
    if isinstance(value, dict):
        return {_plain(key): _plain(item) for key, item in value.items()}
    raise TypeError(describe(value))


def _left(inputs: list) -> tuple:
    """The inputs as plain data; what a function put there that is none is told in a few words."""
    left = []
    for value in inputs:
        try:
            left.append(_plain(value))
        except TypeError as error:
            left.append(str(error))
    return tuple(left)

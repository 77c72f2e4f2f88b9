"""How far an answer that passes is from failing.

Of each comparison by size in an assertion: the distance to where it would tip over, as a share of the
bound; within two bounds, as a share of half their distance. A value 2σ off in a band of ±8σ has 75 %
left. Of each `mismatch`: what is left of the tolerance at the entry that is farthest off.
"""

import ast
import contextlib
import copy
import math
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
from mutants import literal, said

from helpers import observer

SIZES = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge}
BY_NAME = {kind.__name__: compare for kind, compare in SIZES.items()}


@dataclass
class Margins:
    """The smallest margins met so far."""

    closest: dict[str, tuple[float, str]] = field(default_factory=dict)
    """Of "comparison" and "mismatch": the share that is left, and where."""

    whose: str = ""
    """Who is being graded."""

    def __add__(self, other: "Margins") -> "Margins":
        both = [*self.closest.items(), *other.closest.items()]
        return Margins({kind: min(found for name, found in both if name == kind) for kind, _ in both})

    def note(self, kind: str, share: float, where: str) -> None:
        if share < self.closest.get(kind, (math.inf,))[0]:
            self.closest[kind] = share, f"{where}{self.whose}"

    def compare(self, line: int, text: str, literal_left: bool, names: str, *values: Any) -> bool:
        """What stands in the place of a comparison: its verdict, and its margin is noted."""
        share = left(values, literal_left)
        if share is not None:
            self.note("comparison", share, f"line {line} `{text}`, ")
        return all(BY_NAME[name](a, b) for name, a, b in zip(names.split(), values, values[1:]))

    @contextlib.contextmanager
    def watching_mismatch(self) -> Iterator[None]:
        """What `mismatch` compares is looked at too, by the tolerances it hands to torch."""
        close, mismatch = torch.isclose, observer.mismatch

        def looked_at(got, expected, *, rtol, atol, **other):
            tolerance = atol + rtol * expected.abs()
            inexact = torch.isfinite(expected) & (tolerance > 0)
            if inexact.any():
                used = ((got - expected).abs() / tolerance)[inexact].max().item()
                self.note("mismatch", 1 - used, "")
            return close(got, expected, rtol=rtol, atol=atol, **other)

        def watched(got, expected, atol=0.0):
            with replaced(torch, "isclose", looked_at):
                return mismatch(got, expected, atol)

        with replaced(observer, "mismatch", watched):
            yield


def left(values: tuple, literal_left: bool) -> float | None:
    """The share of the bound that is left; None where it is 0 or none of this is a number."""
    if not all(type(value) in (int, float) and math.isfinite(value) for value in values):
        return None
    match values:
        case first, second:
            bound = first if literal_left else second
            return abs(first - second) / abs(bound) if bound else None
        case low, value, high:
            return 2 * min(abs(value - low), abs(high - value)) / abs(high - low)


@contextlib.contextmanager
def replaced(owner: Any, name: str, new: Callable) -> Iterator[None]:
    old = getattr(owner, name)
    setattr(owner, name, new)
    try:
        yield
    finally:
        setattr(owner, name, old)


class _Comparisons(ast.NodeTransformer):
    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        text = said(node, 60)
        self.generic_visit(node)
        if not all(type(op) in SIZES for op in node.ops):
            return node
        literal_left = literal(node.left) is not None and literal(node.comparators[-1]) is None
        names = " ".join(type(op).__name__ for op in node.ops)
        told = [ast.Constant(value) for value in (node.lineno, text, literal_left, names)]
        return ast.Call(ast.Name("__compare__", ast.Load()), [*told, node.left, *node.comparators], [])


def measured(tree: ast.Module) -> ast.Module:
    """The cell, each comparison by size in its assertions handed to `__compare__`."""
    tree = copy.deepcopy(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            node.test = ast.copy_location(_Comparisons().visit(node.test), node.test)
    return ast.fix_missing_locations(tree)

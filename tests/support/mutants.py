"""Weaker versions of a graded cell: what an assertion is for shows when it is taken away.

An assertion is whatever in the cell can fail an answer: an `assert` statement, a `raise AssertionError`,
a call that stands alone of a function defined in the cell (`check(…)`), and each case in a literal list
that a loop runs over. Forms that the observer reads (`number`, `truth`, `entry`, …) are its own affair,
tested with it. A mutant differs from the cell in one place:

- an assertion or a case is deleted;
- what an assertion asks for is less by one part: a side of an `and`, a link of `a < b < c`, `all` for which
  some is enough, and the same the other way round below a `not`;
- a bound is four times as wide, a tolerance handed on as `atol=` (or `rtol`, `abs_tol`, `rel_tol`) a hundred times.
"""

import ast
import copy
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from torch import Tensor

WIDER, LOOSER = 4, 100
UP, DOWN = ast.Lt | ast.LtE, ast.Gt | ast.GtE
TOLERANCES = {"atol", "rtol", "abs_tol", "rel_tol"}


def values(of) -> list:
    return of.flatten().tolist() if isinstance(of, Tensor | np.ndarray) else list(of)


def some(of) -> bool:
    """What `all` is weakened to: of nothing at all, all is still true."""
    of = values(of)
    return not of or any(of)


def every(of) -> bool:
    """What `any` is weakened to below a `not`."""
    of = values(of)
    return bool(of) and all(of)


NAMES = {"__some__": some, "__every__": every}
"""What a mutant's namespace needs besides the cell's."""


@dataclass(frozen=True)
class Mutant:
    line: int
    """In the cell."""

    what: str
    tree: ast.Module

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}"


def mutants(source: str) -> Iterator[Mutant]:
    """Every mutant of a graded cell."""
    tree = ast.parse(source)
    local = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)][1:]  # all but the test
    cases = looped_over(tree)
    for node, put in list(places(tree)):
        instead = shorter(node) if id(node) in cases else replacements(node, local)
        for line, what, new in instead:
            put(ast.copy_location(new, node))
            yield Mutant(line, what, ast.fix_missing_locations(copy.deepcopy(tree)))
            put(node)


def places(tree: ast.AST) -> Iterator[tuple[ast.AST, Callable]]:
    """Each node, and what puts another one in its place."""
    for owner in ast.walk(tree):
        for name, value in ast.iter_fields(owner):
            if isinstance(value, ast.AST):
                yield value, functools.partial(setattr, owner, name)
            for index, item in enumerate(value if isinstance(value, list) else ()):
                if isinstance(item, ast.AST):
                    yield item, functools.partial(value.__setitem__, index)


def looped_over(tree: ast.Module) -> set[int]:
    """The ids of the literals whose entries are cases.

    A loop runs over them, or over a name of theirs; or over a parameter that they are handed in for, if each
    entry has entries of its own: a row of mere numbers is as likely to be an input.
    """
    named, functions, calls, found = {}, {}, [], set()
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(name)]):
                named.setdefault(name, []).append(node.value)
            case ast.FunctionDef():
                functions[node.name] = node
            case ast.Call(func=ast.Name()):
                calls.append(node)

    def add(node: ast.expr, nested: bool = False) -> None:
        match node:
            case ast.List(entries) | ast.Tuple(entries) | ast.Dict(values=entries):
                if not nested or all(isinstance(entry, ast.List | ast.Tuple | ast.Dict) for entry in entries):
                    found.add(id(node))
            case ast.Name(name):
                for value in named.get(name, ()):
                    if not isinstance(value, ast.Name):
                        add(value, nested)

    for over in run_over(tree):
        add(over)
    for call in calls:
        if function := functions.get(call.func.id):
            looped = {over.id for over in run_over(function) if isinstance(over, ast.Name)}
            handed = {parameter.arg: value for parameter, value in zip(function.args.args, call.args)}
            handed |= {word.arg: word.value for word in call.keywords}
            for name in looped & handed.keys():
                add(handed[name], nested=True)
    return found


def run_over(scope: ast.AST) -> Iterator[ast.expr]:
    """What the loops in it run over, whether or not it is counted, or a dict's items."""
    for node in ast.walk(scope):
        if isinstance(node, ast.For | ast.comprehension):
            match node.iter:
                case ast.Call(func=ast.Name("enumerate"), args=[of]) | ast.Call(func=ast.Attribute(of, "items")):
                    yield of
                case of:
                    yield of


def shorter(cases: ast.List | ast.Tuple | ast.Dict) -> Iterator[tuple[int, str, ast.AST]]:
    pairs = cases.elts if not isinstance(cases, ast.Dict) else list(zip(cases.keys, cases.values))
    for i, pair in enumerate(pairs if len(pairs) > 1 else ()):
        rest = pairs[:i] + pairs[i + 1 :]
        if isinstance(cases, ast.Dict):
            yield pair[0].lineno, f"the case {said(pair[0])} is deleted", ast.Dict(*map(list, zip(*rest)))
        else:
            yield pair.lineno, f"the case {said(pair)} is deleted", type(cases)(rest, cases.ctx)


def replacements(node: ast.AST, local: list[str]) -> Iterator[tuple[int, str, ast.AST]]:
    """Lines, words and nodes that are less of an assertion than this one; nothing if it is none."""
    match node:
        case ast.Assert():
            yield node.lineno, f"deleted: assert {said(node.test)}", ast.Pass()
            for part, what, test in weaker(node.test):
                yield part.lineno, what, ast.Assert(test, node.msg)
        case ast.Raise(exc=ast.Call(func=ast.Name("AssertionError")) | ast.Name("AssertionError")):
            yield node.lineno, f"deleted: {said(node)}", ast.Pass()
        case ast.Expr(ast.Call(func=ast.Name(name))) if name in local:
            yield node.lineno, f"deleted: {said(node)}", ast.Pass()
        case ast.keyword(arg=name) if name in TOLERANCES:
            loose = ast.BinOp(ast.Constant(LOOSER), ast.Mult(), node.value)
            yield node.value.lineno, f"{said(node)} is {LOOSER} times as much", ast.keyword(name, loose)


def weaker(test: ast.expr, holds: bool = True) -> Iterator[tuple[ast.expr, str, ast.expr]]:
    """Each part of a condition by which it can ask for less, in words, and the condition that does.

    holds: whether an assertion wants the condition true; below a `not` it wants it false.
    """

    def within(part: ast.expr, rebuild: Callable[[ast.expr], ast.expr], holds: bool = holds) -> Iterator:
        for inner, what, new in weaker(part, holds):
            yield inner, what, rebuild(new)

    match test:
        case ast.UnaryOp(op=ast.Not()):
            yield from within(test.operand, lambda new: ast.UnaryOp(test.op, new), not holds)
        case ast.BoolOp(op=op, values=parts):
            for i, part in enumerate(parts):
                before, after = parts[:i], parts[i + 1 :]
                if isinstance(op, ast.And) == holds:
                    rest = before + after
                    yield part, f"without `{said(part)}`", rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
                for inner, what, new in weaker(part, holds):
                    yield inner, what, ast.BoolOp(op, [*before, new, *after])
        case ast.IfExp():
            yield from within(test.body, lambda new: ast.IfExp(test.test, new, test.orelse))
            yield from within(test.orelse, lambda new: ast.IfExp(test.test, test.body, new))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            yield from wider(test, left, op, right, holds)
        case ast.Compare():  # a < b < c is a < b and b < c
            sides = [test.left, *test.comparators]
            links = [ast.Compare(a, [op], [b]) for a, op, b in zip(sides, test.ops, sides[1:])]
            links = [ast.copy_location(link, link.left) for link in links]
            yield from weaker(ast.BoolOp(ast.And(), links), holds)
        case ast.Call(func=ast.Name("all" | "any") | ast.Attribute(attr="all" | "any"), keywords=[]):
            method = isinstance(test.func, ast.Attribute)
            match test.args:
                case [of]:  # all(of), torch.all(of)
                    if method and not (isinstance(test.func.value, ast.Name) and test.func.value.id in ("torch", "np")):
                        return
                case [] if method:  # of.all()
                    of = test.func.value
                case _:
                    return
            if ((test.func.attr if method else test.func.id) == "all") == holds:
                name = "__some__" if holds else "__every__"
                what = f"{'some' if holds else 'not every'} is enough in `{said(test)}`"
                yield test, what, ast.Call(ast.Name(name, ast.Load()), [of], [])
            if isinstance(of, ast.GeneratorExp | ast.ListComp):
                yield from within(of.elt, lambda new: ast.Call(test.func, [type(of)(new, of.generators)], []))


def wider(test, left, op, right, holds) -> Iterator[tuple[ast.expr, str, ast.expr]]:
    """A comparison of numbers, its bound moved away. The bound is on the right, or the literal one."""
    if not isinstance(op, UP | DOWN) or any(is_set(side) for side in (left, right)):
        return
    on_left = literal(left) is not None and literal(right) is None
    bound = left if on_left else right
    if literal(bound) == 0:
        return
    above = isinstance(op, UP) != on_left
    if not holds:
        above = not above
    grow = above == ((literal(bound) or 1) > 0)
    moved = ast.BinOp(bound, ast.Mult() if grow else ast.Div(), ast.Constant(WIDER))
    what = f"the bound {said(bound)} of `{said(test)}` is {WIDER} times as wide"
    yield test, what, ast.Compare(moved, [op], [right]) if on_left else ast.Compare(left, [op], [moved])


def literal(node: ast.expr) -> float | None:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def is_set(node: ast.expr) -> bool:
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id
    return isinstance(node, ast.Set | ast.SetComp) or called in ("set", "frozenset")


def said(node: ast.AST, at_most: int = 90) -> str:
    text = ast.unparse(node)
    return text if len(text) <= at_most else f"{text[: at_most - 1]}…"

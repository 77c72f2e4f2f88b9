"""The graders, graded without a kernel: `make test-graders`.

Right answers must pass whatever is drawn: each is graded under many seeds, and the smallest margin is
told. And no assertion stands idle: each is deleted or weakened (mutants.py), and then some wrong
answer of the bank has to get through. A mutant below `### BEGIN HIDDEN TESTS` has to change an answer's
score. One above it has to change the verdict of the visible part alone, which is what a student's
Validate says and where a hidden test that sees the same would come too late; or else a score.

The cells run in the process that grades them. Each runs alone, and instead of a student's functions it meets
`Stranger`s, which take nothing but plain data. How a hand-in is really graded: tests/test_bank.py.
"""

import argparse
import ast
import contextlib
import copy
import functools
import os
import random
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from bank import EXERCISES, Answer, answer, answers, asked, notebook
from margins import Margins, measured, replaced
from mutants import NAMES, Mutant, mutants
from private_lines import REGION

from helpers import reasons

# Whether a cell, or a mutant of it, lets an answer through must not hang on what is drawn.
SEEDS_OF_A_CELL, SEEDS_OF_A_MUTANT = 10, 3


class Stranger:
    """A student's function as a graded cell may know it: by its name, and by a call with plain data."""

    def __init__(self, name: str, function: Callable):
        self.__name__ = name
        self.__function = function

    def __call__(self, *inputs):
        for value in inputs:
            assert is_plain(value), f"a graded cell handed {self.__name__} a {type(value).__name__}: only plain data may pass"
        return self.__function(*inputs)


def is_plain(value) -> bool:
    if isinstance(value, list | tuple):
        return all(map(is_plain, value))
    if isinstance(value, dict):
        return all(map(is_plain, value)) and all(map(is_plain, value.values()))
    return type(value) in (bool, int, float, str, type(None), torch.Tensor)


@dataclass(frozen=True)
class Cell:
    """A graded cell."""

    exercise: str
    name: str
    source: str
    points: int = 0
    asked: frozenset[str] = frozenset()
    """The student's functions that it may know."""

    def __str__(self) -> str:
        return f"{self.exercise} {self.name}"

    @functools.cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source)

    @functools.cached_property
    def hidden(self) -> set[int]:
        """The lines of its hidden tests."""
        spans = [region.span() for region in REGION.finditer(self.source)]
        return {line for span in spans for line in range(*(self.source.count("\n", 0, end) + 1 for end in span))}

    def visible(self, tree: ast.Module) -> ast.Module:
        """The same, or a mutant, without the hidden tests."""
        return _Without(self.hidden).visit(copy.deepcopy(tree))

    def verdict(self, tree: ast.Module, functions: dict, **names) -> str | None:
        """What the cell, or a mutant of it, says of a student's functions; None if it says nothing."""
        known = {name: Stranger(name, functions[name]) for name in self.asked if name in functions}
        with quiet():
            try:
                exec(compile(tree, self.name, "exec"), NAMES | names | known)
            except (Exception, SystemExit) as error:
                return f"{type(error).__name__}: {error}"
        return None


class _Without(ast.NodeTransformer):
    def __init__(self, lines: set[int]):
        self.lines = lines

    def visit(self, node: ast.AST) -> ast.AST | None:
        return None if isinstance(node, ast.stmt) and node.lineno in self.lines else self.generic_visit(node)


@contextlib.contextmanager
def quiet():
    """What an answer prints, warns of and draws is nobody's business here."""
    with open(os.devnull, "w") as nowhere, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


def functions(answer: Answer) -> dict:
    """Defined anew for each run: what one run left behind must not reach the next."""
    with quiet():
        return answer.functions()


@functools.cache
def graded_cells(exercise: str) -> dict[str, Cell]:
    cells = [cell for cell in notebook("solutions", exercise).cells if cell.metadata.get("nbgrader", {}).get("grade")]
    names = frozenset(asked(exercise))
    return {cell.id: Cell(exercise, cell.id, cell.source, cell.metadata.nbgrader.points, names) for cell in cells}


def grade(answer: Answer, visible: bool = False) -> dict[str, str | None]:
    """What each graded cell says of an answer; None if it says nothing."""
    verdicts = {}
    for name, cell in graded_cells(answer.exercise).items():
        tree = cell.visible(cell.tree) if visible else cell.tree
        verdicts[name] = cell.verdict(tree, functions(answer))
    return verdicts


def lost(verdicts: dict[str, str | None]) -> set[str]:
    return {name for name, message in verdicts.items() if message}


# -- Right answers under many seeds ----------------------------------------------------------


@dataclass
class Seeded:
    """What came of right answers in one cell."""

    runs: int = 0
    failures: list[str] = field(default_factory=list)
    margins: Margins = field(default_factory=Margins)
    drawn: bool = False
    """Whether chance has a say in it; if not, one seed stands for all."""

    def __add__(self, other: "Seeded") -> "Seeded":
        failures, margins = self.failures + other.failures, self.margins + other.margins
        return Seeded(self.runs + other.runs, failures, margins, self.drawn or other.drawn)

    def __str__(self) -> str:
        once = "" if self.drawn else ", one for each as nothing is drawn"
        lines = [f"{self.runs} runs of right answers{once}, {len(self.failures)} failures"]
        lines += [f"closest {kind}: {share:.1%} left, {where}" for kind, (share, where) in self.margins.closest.items()]
        return "\n    ".join(lines + [f"FAILED {failure}" for failure in self.failures])


def under_seeds(cell: Cell, right: Answer, seeds: Iterable[int]) -> Seeded:
    """Grade a right answer under each seed."""
    found, tree = Seeded(), measured(cell.tree)
    for seed in seeds:
        found.runs += 1
        found.margins.whose = f"{right}, seed {seed}"
        with replaced(reasons, "SEED", seed), found.margins.watching_mismatch():
            message = cell.verdict(tree, functions(right), __compare__=found.margins.compare)
        if message:
            found.failures.append(f"{found.margins.whose}: {message}")
    return found


def draws(cell: Cell, right: Iterable[Answer]) -> bool:
    """Whether with any right answer a generator of random numbers moves on from the cell's seed."""

    def idle():
        pass

    def states() -> list:
        return [random.getstate(), *map(str, np.random.get_state()[1:3]), torch.get_rng_state().tolist()]

    idle.__name__ = cell.name.replace("-", "_")
    reasons.explained(cell.exercise)(idle)()
    seeded = states()
    for one in right:
        cell.verdict(cell.tree, functions(one))
        if states() != seeded:
            return True
    return False


# -- Mutants ---------------------------------------------------------------------------------


@dataclass
class Judged:
    """What came of a cell's mutants."""

    by_verdict: int = 0
    """Killed by what the visible part says."""

    by_score: int = 0
    """Killed by the score: all of the hidden part, and of the visible part those left."""

    survivors: list[Mutant] = field(default_factory=list)
    no_weaker: list[Mutant] = field(default_factory=list)
    """Mutants that fail a right answer: what was changed is no assertion. They do not count."""

    lucky: list[str] = field(default_factory=list)
    """Wrong answers that the cell itself lets through under some seed. They kill nothing."""

    @property
    def all(self) -> int:
        return self.by_verdict + self.by_score + len(self.survivors)

    def __str__(self) -> str:
        killed = f"{self.by_verdict} by the verdict of the visible part, {self.by_score} by the score"
        lines = [f"{self.all - len(self.survivors)} of {self.all} mutants killed, {killed}"]
        lines += [f"SURVIVES {mutant}" for mutant in self.survivors]
        lines += [f"IS NOT SURE TO LOSE IT {one}" for one in self.lucky]
        if self.no_weaker:
            places = ", ".join(dict.fromkeys(str(mutant.line) for mutant in self.no_weaker))
            lines.append(f"{len(self.no_weaker)} set aside, for a right answer fails them: line {places}")
        return "\n    ".join(lines)


def judge(cell: Cell, wrong: Iterable[Answer], right: Iterable[Answer] = ()) -> Judged:
    """Which mutants of a cell let no wrong answer through that the cell itself does not."""

    def let_through(tree: ast.Module, one: Answer, seeds: int = SEEDS_OF_A_MUTANT) -> set[bool]:
        verdicts = set()
        for seed in range(seeds):
            with replaced(reasons, "SEED", seed):
                verdicts.add(cell.verdict(tree, functions(one)) is None)
            if len(verdicts) == 2:
                break
        return verdicts

    def failing(tree: ast.Module) -> list[Answer]:
        return [one for one in wrong if let_through(tree, one, SEEDS_OF_A_CELL) == {False}]

    def killed(tree: ast.Module, candidates: list[Answer]) -> bool:
        for one in candidates:
            if let_through(tree, one) == {True}:
                candidates.remove(one)  # the next mutant meets it first
                candidates.insert(0, one)
                return True
        return False

    judged, wrong = Judged(), list(wrong)
    with replaced(reasons, "_reason", lambda *_: ""):  # verdicts are all that matters here
        by_whole, by_visible = failing(cell.tree), failing(cell.visible(cell.tree))
        judged.lucky = [str(one) for one in wrong if one not in by_whole]
        for mutant in mutants(cell.source):
            if mutant.line not in cell.hidden and killed(cell.visible(mutant.tree), by_visible):
                judged.by_verdict += 1
            elif killed(mutant.tree, by_whole):
                judged.by_score += 1
            elif all(let_through(mutant.tree, one) == {True} for one in right):
                judged.survivors.append(mutant)
            else:
                judged.no_weaker.append(mutant)
    return judged


# -- The report ------------------------------------------------------------------------------


@functools.cache
def by_chance(exercise: str, name: str) -> bool:
    return draws(graded_cells(exercise)[name], answers("right", exercise))


def seeds_job(exercise: str, name: str, right: str, count: int) -> Seeded:
    drawn = by_chance(exercise, name)
    found = under_seeds(graded_cells(exercise)[name], answer(exercise, "right", right), range(count if drawn else 1))
    return replace(found, drawn=drawn)


def mutants_job(exercise: str, name: str) -> Judged:
    wrong = [one for one in answers("wrong", exercise) if name in one.loses]
    return judge(graded_cells(exercise)[name], wrong, answers("right", exercise)[:1])


def alone() -> None:
    """How a worker runs answers: on one core, without a screen."""
    os.environ["MPLBACKEND"] = "Agg"
    torch.set_num_threads(1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pick", nargs="*", metavar="NAME", help="exercises or graded cells; all if none is named")
    parser.add_argument("--part", choices=["seeds", "mutants"], help="one of the two; else both")
    parser.add_argument("--seeds", type=int, default=200, metavar="N", help="how many (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="how many cores to use (default: all)")
    options = parser.parse_args()
    cells = [cell for exercise in EXERCISES for cell in graded_cells(exercise).values()]
    unknown = set(options.pick) - {name for cell in cells for name in (cell.exercise, cell.name)}
    if unknown:
        parser.error(f"no exercise or graded cell is called {', '.join(sorted(unknown))}")
    cells = [cell for cell in cells if not options.pick or {cell.exercise, cell.name} & set(options.pick)]

    began = time.perf_counter()
    with ProcessPoolExecutor(options.jobs, initializer=alone) as pool:
        judging = {cell: pool.submit(mutants_job, cell.exercise, cell.name) for cell in cells if options.part != "seeds"}
        seeding = {
            cell: [
                pool.submit(seeds_job, cell.exercise, cell.name, right.name, options.seeds)
                for right in answers("right", cell.exercise)
            ]
            for cell in cells
            if options.part != "mutants"
        }
        judged, seeded = {}, {}
        for cell, job in judging.items():
            judged[cell] = job.result()
            print(f"{cell}: {judged[cell]}", flush=True)
        for cell, jobs in seeding.items():
            seeded[cell] = sum((job.result() for job in jobs), Seeded())
            print(f"{cell}: {seeded[cell]}", flush=True)

    print(f"\nIn {time.perf_counter() - began:.0f} s:")
    survivors = sum(len(found.survivors) for found in judged.values())
    lucky = sum(len(found.lucky) for found in judged.values())
    if judged:
        print(f"wrong answers: {lucky} that get through a cell they lose, under some of {SEEDS_OF_A_CELL} seeds")
        every = sum(found.all for found in judged.values())
        print(f"mutants: {every - survivors} of {every} killed")
    total = sum(seeded.values(), Seeded())
    if seeded:
        print(f"right answers: {len(total.failures)} failures in {total.runs} runs of a graded cell, {options.seeds} seeds")
    for kind in total.margins.closest:
        met = {cell: found.margins.closest[kind] for cell, found in seeded.items() if kind in found.margins.closest}
        cell, (share, where) = min(met.items(), key=lambda one: one[1])
        print(f"smallest margin of a {kind}: {share:.1%}, {cell}, {where}")
    sys.exit(bool(survivors or lucky or total.failures))


if __name__ == "__main__":
    main()

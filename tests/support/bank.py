"""The bank: what students might write, right and wrong, as hand-ins.

A file of `answers/EXERCISE/right` or `wrong` begins with a header, its docstring:

    Nothing is divided.

    Loses: test-scaled-peaks, test-peak-table
    Diagnosis: the scores are not divided by √d

`Loses` are the graded cells that a wrong answer fails; it passes the others. `Diagnosis` is a clause
to follow "This is what comes out when …": the feedback on each of these cells has to hold it. (`Says`
in its place are words of the test's own sentence, for a mistake that no probe shows: what a function
does may hang on the calls before.)

A function that the exercise asks for goes into its answer cell, with all that stands above it; answer
cells without one hold the solution's answer. A line `# %% CELL` puts what follows it into the cell of
that name instead, whatever it is: for a function of another name, or a cell that nobody asked to change.
"""

import ast
import functools
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[2]
ANSWERS = ROOT / "tests" / "answers"
EXERCISES = sorted(path.parent.name for path in ROOT.glob("solutions/*/*.ipynb"))
# Where a file leaves average_peaks alone, a quick right answer stands in for the solution's loop.
QUICK = {"scaling": "keys_shared_by_all_queries"}
CELL = re.compile(r"^# %% ([\w-]+)\n", re.MULTILINE)


def notebook(folder: str, exercise: str) -> nbformat.NotebookNode:
    return nbformat.read(ROOT / folder / exercise / f"{exercise}.ipynb", as_version=4)


@functools.cache
def graded_cells(exercise: str) -> set[str]:
    cells = notebook("notebooks/exercises", exercise).cells
    return {cell.id for cell in cells if cell.metadata.get("nbgrader", {}).get("grade")}


@functools.cache
def solved(exercise: str) -> dict[str, str]:
    """The solution's answer cells: name → source."""
    marks = re.compile(r"^ *### (?:BEGIN|END) SOLUTION\n?", re.MULTILINE)
    cells = notebook("solutions", exercise).cells
    return {cell.id: marks.sub("", cell.source) for cell in cells if cell.metadata.get("nbgrader", {}).get("solution")}


@functools.cache
def asked(exercise: str) -> dict[str, str]:
    """The functions that an exercise asks for: name → the cell it goes into."""
    return {node.name: cell for cell, source in solved(exercise).items() for node in ast.parse(source).body}


def used(exercise: str, *sources: str) -> set[str]:
    """The answer cells whose functions code uses, and those that they use in the solution."""
    found: set[str] = set()
    while sources:
        names = {node.id for source in sources for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
        more = {asked(exercise)[name] for name in names & asked(exercise).keys()} - found
        found |= more
        sources = tuple(solved(exercise)[cell] for cell in more)
    return found


@functools.cache
def behind(exercise: str, test: str) -> set[str]:
    """The answer cells that a graded cell uses, with its hidden lines."""
    (source,) = (cell.source for cell in notebook("solutions", exercise).cells if cell.id == test)
    return used(exercise, source)


@dataclass(frozen=True)
class Answer:
    exercise: str
    kind: str
    name: str
    about: str
    loses: frozenset[str]
    diagnosis: str
    cells: dict[str, str] = field(hash=False)
    """The cells that the file changes: name → source."""

    known: bool = True
    """Whether the diagnosis is found by probes; if not, the test itself says it."""

    def __str__(self) -> str:
        return f"{self.exercise}-{self.name}"

    @functools.cached_property
    def changed(self) -> set[str]:
        """The cells in which it differs from the solution."""
        given = {cell.id: cell.source for cell in notebook("notebooks/exercises", self.exercise).cells} | solved(self.exercise)
        return {cell for cell, source in self.cells.items() if source.strip() != given.get(cell, "").strip()}

    @functools.cached_property
    def met(self) -> set[str]:
        """The answer cells that it changes or uses, and those that the tests it loses use."""
        own = (self.cells[cell] for cell in self.changed)
        return self.changed.union(used(self.exercise, *own), *(behind(self.exercise, test) for test in self.loses))

    @property
    def strays(self) -> bool:
        """Whether it changes a cell that nobody was to change."""
        return not self.changed <= solved(self.exercise).keys()

    def is_apart_from(self, other: "Answer") -> bool:
        """Whether neither strays, nor changes a cell that the other meets."""
        return not (self.strays or other.strays or self.changed & other.met or other.changed & self.met)

    def notebook(self) -> nbformat.NotebookNode:
        """The released exercise with this answer in it: what is handed in."""
        stand_in = answer(self.exercise, "right", QUICK[self.exercise]).cells if self.exercise in QUICK else {}
        sources = solved(self.exercise) | stand_in | self.cells
        hand_in = notebook("notebooks/exercises", self.exercise)
        unknown = self.cells.keys() - {cell.id for cell in hand_in.cells}
        assert not unknown, f"{self} changes the cells {unknown}, which the exercise does not have"
        for cell in hand_in.cells:
            cell.source = sources.get(cell.id, cell.source)
        return hand_in

    @functools.cached_property
    def code(self) -> list:
        """What of the notebook comes before grading: the cells that give something and the answer cells."""
        marked = [cell for cell in self.notebook().cells if cell.metadata.get("nbgrader")]
        return [compile(cell.source, cell.id, "exec") for cell in marked if not cell.metadata.nbgrader.grade]

    def functions(self) -> dict:
        """What is defined once the answer cells have run, in this process."""
        defined = {}
        for cell in self.code:
            exec(cell, defined)
        return defined


@functools.cache
def answer(exercise: str, kind: str, name: str) -> Answer:
    source = (ANSWERS / exercise / kind / f"{name}.py").read_text(encoding="utf-8")
    header, *sections = CELL.split(source)
    if sections:
        cells = {cell: text.strip() for cell, text in zip(sections[::2], sections[1::2])}
    else:
        cells = _by_function(exercise, source)
    about = ast.get_docstring(ast.parse(header))
    fields = dict(re.findall(r"^(Loses|Diagnosis|Says): (.+(?:\n(?!\w+: ).+)*)$", about, re.MULTILINE))
    loses = frozenset(fields.get("Loses", "").split(", ")) - {""}
    if kind == "wrong":
        tests = graded_cells(exercise)
        if not loses or loses - tests:
            raise ValueError(f"{exercise}/wrong/{name}.py loses {sorted(loses)}; expected a line `Loses: ` with some of {sorted(tests)}")
        if len({"Diagnosis", "Says"} & fields.keys()) != 1:
            raise ValueError(f"{exercise}/wrong/{name}.py has {sorted(fields)} in its header; expected `Diagnosis: ` or `Says: `")
    diagnosis = " ".join((fields.get("Diagnosis") or fields.get("Says", "")).split())
    return Answer(exercise, kind, name, about.partition("\n\n")[0], loses, diagnosis, cells, "Says" not in fields)


def _by_function(exercise: str, source: str) -> dict[str, str]:
    """Each function that is asked for, with all that stands above it, in its cell; the rest in the last."""
    header, *body = ast.parse(source).body
    lines, start, cells = source.splitlines(keepends=True), header.end_lineno, {}
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name in asked(exercise):
            cell = asked(exercise)[node.name]
            cells[cell] = (cells.get(cell, "") + "".join(lines[start : node.end_lineno])).strip()
            start = node.end_lineno
    cells[cell] += "".join(lines[start:]).rstrip()
    return cells


def hand_ins(exercise: str) -> list[list[Answer]]:
    """The wrong answers, several to a hand-in where they cannot meet: what each loses, no other touches.

    So a hand-in of several shows of each what it would show alone, and there are fewer to grade. Names
    tell who uses what: what an answer did to the whole process, a test that its neighbour loses anyway
    would not show.
    """
    together: list[list[Answer]] = []
    for answer in answers("wrong", exercise):
        for hand_in in together:
            if all(map(answer.is_apart_from, hand_in)):
                hand_in.append(answer)
                break
        else:
            together.append([answer])
    return together


def picked(exercise: str, enough: int = 3) -> list[list[Answer]]:
    """Of the hand-ins, as many as it takes for each graded cell to be lost in `enough` of them.

    And those that stray: only a kernel shows what comes of a changed cell that gives or shows something.
    """
    times, found = dict.fromkeys(graded_cells(exercise), 0), []
    for hand_in in hand_ins(exercise):
        lost = joined(hand_in).loses
        if any(times[cell] < enough for cell in lost) or any(answer.strays for answer in hand_in):
            found.append(hand_in)
            times |= {cell: times[cell] + 1 for cell in lost}
    return found


def joined(answers: list[Answer]) -> Answer:
    """Several answers as one hand-in."""
    return replace(
        answers[0], name="+".join(answer.name for answer in answers), about=" ".join(answer.about for answer in answers),
        loses=frozenset().union(*(answer.loses for answer in answers)),
        cells={cell: answer.cells[cell] for answer in answers for cell in answer.changed},
    )


def answers(kind: str, *exercises: str) -> list[Answer]:
    return [
        answer(exercise, kind, path.stem)
        for exercise in exercises or EXERCISES
        for path in sorted((ANSWERS / exercise / kind).glob("*.py"))
    ]

"""What became of each part of an exercise: it is run as grading runs it, with the tests that students see."""

import ast
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from jupyter_client.kernelspec import NoSuchKernel
from nbclient.util import run_sync
from nbconvert.filters import strip_ansi
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell
from nbgrader.utils import determine_grade, is_grade, is_locked, is_solution
from traitlets.config import Config

from helpers.command import DOCTOR, ROOT, Refused
from helpers.exercises import is_released, known_tests, marked, part_names, passed_over, quiet, read, repeated
from helpers.exercises.execution import ENDED, STUCK, RunToTheEnd, channels, surroundings
from helpers.exercises.scoring import NO_POINTS, CountPoints, verdict

EXERCISES = ROOT / "notebooks" / "exercises"
SECONDS = 30  # a cell may take, as in grading and in Validate

DONE, FAILING, OPEN, UNKNOWN = "done", "failing", "open", "unknown"

ANEW = "Take the exercise again from the zip you got, and write your answers into that, to see what it says."


@dataclass
class Part:
    """A graded cell, and what became of it."""

    name: str
    points: float
    score: float = 0.0
    state: str = FAILING
    reason: str = ""

    @property
    def done(self) -> bool:
        return self.state == DONE

    @property
    def open(self) -> bool:
        """Whether its answer is not written yet."""
        return self.state == OPEN

    @property
    def unknown(self) -> bool:
        """Whether the test that would tell is changed or gone."""
        return self.state == UNKNOWN


@dataclass
class Exercise:
    """An exercise as it ran."""

    name: str
    content: bytes
    """Of the file, as it was when it ran."""

    parts: list[Part]
    remarks: list[str]
    answered: bool = False
    """Whether anything is written that grading could give points for."""

    @property
    def done(self) -> bool:
        return all(part.done for part in self.parts)


def check(folder: Path, name: str, seconds: int = SECONDS) -> Exercise:
    """Run the exercise `name` in `folder`, and look at each of its parts. Nothing is written there.

    Raises:
        Refused: grading could not read it, or no kernel starts.
    """
    content, notebook = read(folder, name)
    remarks = passed_over(folder, name) + repeated(notebook)
    original = _as_grading_reads(notebook)
    _run(notebook, seconds)

    cells = marked(notebook)
    tests = {cell.metadata.nbgrader.grade_id: cell for cell in cells if is_grade(cell)}
    answers = [cell for cell in cells if is_solution(cell)]
    known = known_tests(name)
    lost = {test: Part(called, points, state=UNKNOWN, reason=f"This test is missing; grading puts it back and runs it. {ANEW}")
            for test, (called, points) in known.items()}  # fmt: skip
    names = part_names(notebook.cells)
    parts = [_part(names[test], tests[test], notebook.cells, original) if test in tests else lost[test]
             for test in dict.fromkeys([*known, *tests])]  # fmt: skip
    for cell in cells:
        if is_locked(cell) and not is_grade(cell) and cell.metadata.nbgrader.grade_id not in original:
            remarks.append(f"cell {cell.metadata.nbgrader.grade_id} was given and is changed; grading runs yours, and then the given one.")
    for cell in notebook.cells:
        if cell.cell_type == "code" and cell.source.strip() and not is_grade(cell) and _event(cell):
            said = _said(cell, notebook.cells)
            place = said.partition(", in ")[2]
            if not place or not any(place in part.reason for part in parts):
                remarks.append(f"{said} It begins: {cell.source.strip().splitlines()[0]:.60}")
    untouched = answers and all(answer.metadata.nbgrader.grade_id in original for answer in answers)
    return Exercise(name, content, parts, remarks, not untouched or any(part.score for part in parts))


def _as_grading_reads(notebook: NotebookNode) -> set[str]:
    """Make what nbgrader knows of the cells what grading makes of it; the names of those that are as released."""
    original, taken = set(), set()
    for place, cell in reversed(list(enumerate(notebook.cells))):
        mark = cell.metadata.get("nbgrader", {})
        name = mark.get("grade_id")
        if name in taken or not isinstance(name, str):  # of copies the last one counts
            cell.metadata.pop("nbgrader", None)
            continue
        taken.add(name)
        if is_released(cell):
            original.add(name)
        elif mark.get("cell_type") == "code" != cell.cell_type:  # made text by mistake
            notebook.cells[place] = new_code_cell(cell.source, id=cell.get("id", f"cell-{place}"), metadata=cell.metadata)
    return original


# -- Running ---------------------------------------------------------------------------------


class RunQuietly(RunToTheEnd):
    """Kernels that write nothing to the terminal and find an environment of their own.

    A cell that calls a function which did not come to an end before has a sixth of the time.
    """

    environment: dict[str, str]

    def preprocess(self, nb, resources=None, km=None):
        self._patience, self._endless = self.timeout, set()
        return super().preprocess(nb, resources, km)

    def preprocess_cell(self, cell, resources, index):
        again = cell.cell_type == "code" and self._endless & _names(cell.source)
        self.timeout = max(1, self._patience // 6) if again else self._patience
        cell, resources = super().preprocess_cell(cell, resources, index)
        if (event := _event(cell)) and event.ename == STUCK:
            self._endless |= {function for _, _, function in _places(cell)}
        return cell, resources

    async def async_start_new_kernel(self, **settings):
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        await super().async_start_new_kernel(env=self.environment, **silent, **settings)

    start_new_kernel = run_sync(async_start_new_kernel)


def _run(notebook: NotebookNode, seconds: int) -> None:
    """Run all cells in an empty folder, as grading does, with this folder's `helpers`; keep the outputs that count."""
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"  # this environment's kernel, not a user's own of the same name
    with tempfile.TemporaryDirectory(prefix="check-", ignore_cleanup_errors=True) as scratch, quiet():
        empty, profile = Path(scratch) / "empty", Path(scratch) / "ipython"
        empty.mkdir()
        step = RunQuietly(
            kernel_name="python3", timeout=seconds, startup_timeout=60, shutdown_kernel="immediate",
            config=Config(KernelManager=channels()),
        )  # fmt: skip
        step.environment = surroundings(str(profile))
        step.environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        try:
            step.preprocess(notebook, {"metadata": {"path": str(empty)}})
        except (RuntimeError, NoSuchKernel, OSError) as error:
            why = str(error).strip().partition("\n")[0].rstrip(".")
            raise Refused(f"The notebook cannot be run ({why}); {DOCTOR} says what to do.") from None
    for cell in notebook.cells:
        if cell.cell_type == "code":  # what goes to stderr, such as a warning, is no failure
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
            CountPoints().preprocess_cell(cell, {}, 0)


# -- Judging ---------------------------------------------------------------------------------


def _part(name: str, test: NotebookNode, cells: list[NotebookNode], original: set[str]) -> Part:
    if is_solution(test):  # an answer that somebody reads
        written = test.metadata.nbgrader.grade_id not in original
        return Part(name, 0, state=DONE if written else OPEN, reason="" if written else "not written yet")
    if test.metadata.nbgrader.grade_id not in original:
        points = float(test.metadata.nbgrader.points)
        return Part(name, points, state=UNKNOWN, reason=f"This test differs from the released one, which is what grading runs. {ANEW}")
    answers = [cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade_id") and is_solution(cell)]
    score, points = determine_grade(test)
    test.metadata.nbgrader["score"] = score  # which the verdict reads
    if score == points:
        return Part(name, points, score, DONE)
    used = _used(test, answers)
    unwritten = [function for answer in used if answer.metadata.nbgrader.grade_id in original for function in _defined(answer)]
    if unwritten:
        return Part(name, points, score, OPEN, f"not written yet: {', '.join(unwritten)}")
    stopped = next(filter(_error, used), None)
    if stopped and not _event(test):
        return Part(name, points, score, reason=f"The answer's own cell does not run. {_said(stopped, cells)}")
    own = _error(test) and _error(test).ename not in ("AssertionError", ENDED, NO_POINTS)
    return Part(name, points, score, reason=_said(test, cells) if own else verdict(test))


def _said(cell: NotebookNode, cells: list[NotebookNode]) -> str:
    """What a cell's error says, and in which line of the student's it arose."""
    error = _error(cell)
    sources = {str(one.execution_count): one.source.splitlines() for one in cells if one.cell_type == "code" and not is_grade(one)}
    own = [(int(line), function, sources[number]) for number, line, function in _places(cell) if int(line) <= len(sources.get(number, ()))]
    line, function, source = own[-1] if own else (0, "", [])
    place = f"line {line}{function and f' of the cell of {function}'}, `{source[line - 1].strip():.60}`" if line else ""
    if error.ename in (ENDED, STUCK):
        return f"{error.evalue.removesuffix('.')}, in {place}." if place else error.evalue
    what = re.sub(r" \(\d+\.py, line \d+\)$", "", error.evalue)  # a cell's file has a name that nobody gave it
    return f"{error.ename}{f' in {place}' if place else ''}: {what}".removesuffix(": ")


def _event(cell: NotebookNode) -> NotebookNode | None:
    """The output that says that a cell ended its kernel, or took too long."""
    return next((output for output in cell.get("outputs", []) if output.get("ename") in (ENDED, STUCK)), None)


def _error(cell: NotebookNode) -> NotebookNode | None:
    """The output that says why a cell did not run to its end."""
    return _event(cell) or next((output for output in cell.get("outputs", []) if output.output_type == "error"), None)


def _places(cell: NotebookNode) -> list[tuple[str, str, str]]:
    """Where a cell's error arose, from the outside in: number of a cell, line, function.

    Where it took too long, the interruption knows, and is an error of its own.
    """
    said = "\n".join(line for one in cell.outputs if one.output_type == "error" for line in one.traceback)
    return re.findall(r"Cell In\[(\d+)\], line (\d+)(?: in (\w+))?", strip_ansi(said))


def _defined(answer: NotebookNode) -> list[str]:
    """The functions and classes that an answer cell defines."""
    return re.findall(r"^(?:async +)?(?:def|class) +(\w+)", answer.source, re.MULTILINE)


def _used(test: NotebookNode, answers: list[NotebookNode]) -> list[NotebookNode]:
    """The answer cells whose functions a test calls, itself or through one another."""
    words, used = _names(test.source), []
    while new := [answer for answer in answers if answer not in used and words & set(_defined(answer))]:
        used += new
        words |= {word for answer in new for word in _names(answer.source)}
    return [answer for answer in answers if answer in used]


def _names(source: str) -> set[str]:
    """The names that code uses; of what is no code, all words."""
    try:
        return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    except (SyntaxError, ValueError):
        return set(re.findall(r"\w+", source))

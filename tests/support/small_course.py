"""A course of one small exercise, and what tests of grading ask of a class that was graded."""

import contextlib
import csv
import html
import io
import os
import re
import shutil
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from helpers.grading.course import ROOT, Course
from helpers.grading.grade import grade
from helpers.grading.release import release

RIGHT = "def double(x):\n    return 2 * x"


@pytest.fixture(scope="module", autouse=True)
def environment():
    """Grading sets up its kernels' environment; afterwards it is as it was."""
    before = dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(before)


def run(course: Course, submissions: Path, roster: Path | None = None) -> str:
    """Grade, and return what was said."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        grade(course, submissions, roster)
    return said.getvalue()


def rows(course: Course) -> list[dict[str, str]]:
    with open(course.room / "grades.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def scores(course: Course) -> dict[tuple[str, str], float]:
    return {(row["student_id"], row["assignment"]): float(row["score"]) for row in rows(course)}


def marks(course: Course) -> dict[str, float]:
    return {student: score for (student, _), score in scores(course).items()}


def autograded(course: Course, student: str) -> nbformat.NotebookNode:
    return nbformat.read(course.folder("autograded", student, "toy") / "toy.ipynb", as_version=4)


def page(course: Course, student: str, exercise: str = "toy") -> str:
    """The text of a feedback page, as a reader has it."""
    path = course.folder("feedback", student, exercise) / f"{exercise}.html"
    body = path.read_text(encoding="utf-8").partition("<body")[2]
    return html.unescape(re.sub(r"<[^>]+>", "", body))


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def cell(name: str, source: str, **role) -> nbformat.NotebookNode:
    record = {"schema_version": 3, "grade_id": name, "grade": False, "solution": False, "locked": False, "task": False} | role
    return new_code_cell(source, id=name, metadata={"nbgrader": record})


def test_cell(name: str, source: str, points: int = 5) -> nbformat.NotebookNode:
    return cell(name, source, grade=True, locked=True, points=points)


test_cell.__test__ = False


HALF = cell("half", "def half(x):\n    ### BEGIN SOLUTION\n    return x / 2\n    ### END SOLUTION", solution=True)
HALVES = test_cell("halves", "assert half(3) == 1.5")


def graded_cell(*outputs, points: float = 5, score: float | None = None) -> nbformat.NotebookNode:
    made = test_cell("value", "value()", points)
    made.outputs = list(outputs)
    made.metadata.nbgrader["score"] = points if score is None else score
    return made


def value(text: str) -> nbformat.NotebookNode:
    return new_output("execute_result", data={"text/plain": text, "text/html": f"<b>{text}</b>"}, execution_count=1)


def error(name: str, sentence: str, *frames: str) -> nbformat.NotebookNode:
    return new_output("error", ename=name, evalue=sentence, traceback=[*frames, f"{name}: {sentence}"])


def printed(text: str, name: str = "stdout") -> nbformat.NotebookNode:
    return new_output("stream", name=name, text=text)


def write_exercise(course: Course, *more: nbformat.NotebookNode, hidden: str = "assert double(7) == 14, 'seven'") -> None:
    """An exercise of two tests, 4 and 6 points, and what else is asked for."""
    cells = [
        cell("answer", "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION", solution=True),
        cell("numbers", f"assert double(2) == 4\n### BEGIN HIDDEN TESTS\n{hidden}\n### END HIDDEN TESTS", grade=True, locked=True, points=4),
        cell("words", "assert double('a') == 'aa'", grade=True, locked=True, points=6),
        *more,
    ]
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    course.solution("toy").parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(new_notebook(cells=cells, metadata=metadata), course.solution("toy"))
    release(course)


def hand_in(course: Course, student: str, answer: str | None, change=lambda notebook: None) -> None:
    notebook = nbformat.read(course.root / "notebooks" / "exercises" / "toy" / "toy.ipynb", as_version=4)
    if answer is not None:
        next(cell for cell in notebook.cells if cell.id == "answer").source = answer
    change(notebook)
    path = course.root / "in" / student / "toy" / "toy.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


def own(source: str):
    """Put a cell of the student's own at the start."""
    return lambda notebook: notebook.cells.insert(0, new_code_cell(source, id="own"))


@pytest.fixture(scope="session")
def blank(tmp_path_factory) -> Path:
    """A gradebook with nothing in it; nbgrader takes seconds to make one, so a process makes one for all modules.

    (Each that imports this has it as a fixture of its own.)
    """
    course = Course(room=tmp_path_factory.getbasetemp() / "blank")
    file = course.room / "gradebook.db"
    if not file.is_file():
        course.room.mkdir()
        with course.gradebook():
            pass
    return file


@pytest.fixture
def empty(tmp_path, blank) -> Course:
    """A course without exercises, and its gradebook."""
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    course = Course(root=tmp_path, room=tmp_path / "class")
    course.room.mkdir()
    shutil.copy(blank, course.room)
    return course


@pytest.fixture
def toy(empty) -> Course:
    write_exercise(empty)
    return empty

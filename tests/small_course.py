"""A course of one small exercise, and what tests of grading ask of a class that was graded."""

import contextlib
import csv
import io
import os
import shutil
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

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


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def cell(name: str, source: str, **role) -> nbformat.NotebookNode:
    record = {"schema_version": 3, "grade_id": name, "grade": False, "solution": False, "locked": False, "task": False} | role
    return new_code_cell(source, id=name, metadata={"nbgrader": record})


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


@pytest.fixture(scope="module")
def blank(tmp_path_factory) -> Path:
    """A gradebook with nothing in it; nbgrader takes seconds to make one."""
    course = Course(room=tmp_path_factory.mktemp("blank"))
    with course.gradebook():
        pass
    return course.room / "gradebook.db"


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

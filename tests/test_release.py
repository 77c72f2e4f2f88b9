"""What students get of an exercise: the notebook in solutions/, less its answers and hidden tests.

`make release` writes it to notebooks/exercises/, which is in git so that a clone is a course. These
tests hold the two together.
"""

import shutil
from pathlib import Path

import nbformat
import pytest
from bank import EXERCISES
from private_lines import leaks, numbers, private_lines, private_values

from helpers.grading.course import Course
from helpers.grading.release import generate, release

COURSE = Course()
RELEASED = COURSE.root / "notebooks" / "exercises"
each_exercise = pytest.mark.parametrize("exercise", COURSE.exercises)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file() and ".ipynb_checkpoints" not in path.parts}


@pytest.fixture(scope="module")
def fresh(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("released")
    generate(COURSE, folder)
    return folder


def test_there_is_an_exercise_to_release():
    assert COURSE.exercises == EXERCISES != [], f"solutions/ holds {EXERCISES}, and the course knows of {COURSE.exercises}"


def test_the_released_exercises_are_what_release_writes_now(fresh):
    expected, found = contents(fresh), contents(RELEASED)
    assert found.keys() == expected.keys(), (
        f"notebooks/exercises holds {sorted(found)}, `make release` writes {sorted(expected)}: run it"
    )
    drifted = [name for name in expected if found[name] != expected[name]]
    assert not drifted, f"{drifted} differ from what `make release` writes: run it, and never edit them by hand"


def test_releasing_twice_writes_the_same_bytes_and_needs_no_gradebook(tmp_path):
    shutil.copy(COURSE.root / "nbgrader_config.py", tmp_path)
    (tmp_path / "solutions").symlink_to(COURSE.root / "solutions")
    copy = Course(root=tmp_path, room=tmp_path / "class")
    release(copy)
    first = contents(tmp_path / "notebooks" / "exercises")
    (tmp_path / "notebooks" / "exercises" / "left-over.ipynb").write_text("{}")
    release(copy)
    assert contents(tmp_path / "notebooks" / "exercises") == first, "a second release wrote other files than the first"
    assert not list(copy.room.iterdir()), f"release, which has no use for a class, wrote {list(copy.room.iterdir())}"


@each_exercise
def test_a_released_exercise_holds_no_line_of_an_answer_or_hidden_test(exercise):
    cells = nbformat.read(RELEASED / exercise / f"{exercise}.ipynb", as_version=4).cells
    private = private_lines(COURSE.solution(exercise))
    assert private, f"solutions/{exercise} marks nothing as an answer or a hidden test"
    found = {cell.id: leaks(cell.source, private) for cell in cells if leaks(cell.source, private)}
    assert not found, f"{exercise} as released shows, by cell: {found}"


@each_exercise
def test_a_released_exercise_holds_no_number_that_only_hidden_tests_expect(exercise):
    released = (RELEASED / exercise / f"{exercise}.ipynb").read_text(encoding="utf-8")
    values = private_values(COURSE.solution(exercise))
    assert values, f"the hidden tests of {exercise} expect no number of their own"
    assert not values & numbers(released), f"{exercise} as released shows {sorted(values & numbers(released))}"
    shown = min(values)
    assert shown in numbers(f"expected {shown}, got 1"), f"{shown} in a sentence would not be seen"


@each_exercise
def test_a_leaked_line_would_be_seen(exercise):
    private = private_lines(COURSE.solution(exercise))
    for kind in ("SOLUTION", "HIDDEN TESTS"):
        line = min(private_lines(COURSE.solution(exercise), (kind,)))
        assert leaks(f"def f(x):\n    {line}\n", private) == [line], f"{line!r} in a cell was not seen as a leak"


@each_exercise
def test_a_released_exercise_asks_each_answer_and_keeps_each_graded_test_with_its_points(exercise):
    def graded(path: Path) -> dict[str, float]:
        cells = nbformat.read(path, as_version=4).cells
        return {c.metadata.nbgrader.grade_id: c.metadata.nbgrader.points for c in cells
                if c.metadata.get("nbgrader", {}).get("grade")}

    released = RELEASED / exercise / f"{exercise}.ipynb"
    assert graded(released) == graded(COURSE.solution(exercise)), "the released tests are not those of the solution"
    assert sum(graded(released).values()) == 10, f"the points of {exercise} sum to {sum(graded(released).values())}, not 10"
    for cell in nbformat.read(released, as_version=4).cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            assert "raise NotImplementedError" in cell.source, f"answer cell {cell.id} of {exercise} is not open: {cell.source}"


@each_exercise
def test_a_released_exercise_shows_no_output(exercise):
    cells = nbformat.read(RELEASED / exercise / f"{exercise}.ipynb", as_version=4).cells
    shown = [cell.id for cell in cells if cell.cell_type == "code" and (cell.outputs or cell.execution_count)]
    assert not shown, f"these cells of {exercise} were released with their outputs: {shown}"

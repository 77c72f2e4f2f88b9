"""What a hand-in scores, whatever its cells hold and whichever of them are there."""

import re
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from nbgrader.utils import compute_checksum
from nbgrader.validator import Validator
from small_course import HALF, HALVES, RIGHT, blank, cell, empty, environment, error, graded_cell, hand_in, marks, own, page, run, test_cell, toy, value, write_exercise  # noqa: F401
from traitlets.config import PyFileConfigLoader

from helpers.grading.course import ROOT
from helpers.exercises.scoring import CountPoints


def test_the_value_of_a_test_is_its_points_whatever_it_is(toy, tmp_path):
    write_exercise(toy, test_cell("value", "value() if 'value' in dir() else None"))
    values = {
        "2.5": 2.5, "0": 0.0, "5": 5.0, "None": 5.0,  # what nbgrader expects
        "9": 5.0, "-1": 0.0,  # out of range
        "float('nan')": 0.0, "float('inf')": 0.0, "'five'": 0.0, "[1, 2]": 0.0, "True": 0.0,  # no number of points
        "1 / 0": 0.0, "__import__('sys').displayhook(5) or 1 / 0": 0.0,  # an error
        "__import__('sys').displayhook(2) or 3": 0.0,  # two values
    }  # fmt: skip
    students = {f"s{number:02}": value for number, value in enumerate(values)}
    for student, value in students.items():
        hand_in(toy, student, f"{RIGHT}\n\n\ndef value():\n    return {value}")
    text = run(toy, tmp_path / "in")
    found = {value: marks(toy)[student] - 10 for student, value in students.items()}
    assert found == values, f"{found} instead of {values}"

    remarks = {student: re.findall(rf"{student}/toy: (.*)", text) for student in students}
    for student, value in students.items():
        expected = {
            "9": ["value: its value 9 counts as 5."],
            "-1": ["value: its value -1 counts as 0."],
        }.get(value, ["the value is not one finite number, so no points: value."])
        if value in ("2.5", "0", "5", "None") or "1 / 0" in value:
            expected = []
        assert remarks[student] == expected, f"of {value} the remarks are {remarks[student]}, not {expected}"
        if expected and "counts" not in expected[0]:
            assert "not one finite number, so it counts 0 points" in page(toy, student), f"the feedback on {value} says nothing"


def test_nbgraders_own_command_gives_the_same_points(toy, tmp_path):
    write_exercise(toy, test_cell("value", "value"))
    hand_in(toy, "ada", f"{RIGHT}\nvalue = 9")
    hand_in(toy, "bob", "import os\n\n\ndef double(x):\n    return 2 * x if x != 'a' else os._exit(1)\n\n\nvalue = -1")
    hand_in(toy, "cid", RIGHT, lambda notebook: notebook.cells.clear())
    run(toy, tmp_path / "in")
    expected = {"ada": 15.0, "bob": 4.0, "cid": 0.0}
    assert marks(toy) == expected
    with toy.gradebook() as gradebook:
        for student in expected:
            gradebook.remove_submission("toy", student)
    command = [sys.executable, "-m", "nbgrader", "autograde", "toy", "--force"]
    done = subprocess.run(command, cwd=toy.root, capture_output=True, text=True, timeout=120)
    with toy.gradebook() as gradebook:
        submissions = gradebook.find_assignment("toy").submissions
        found = {submission.student.id: submission.score for submission in submissions}
        waiting = [submission.student.id for submission in submissions if submission.needs_manual_grade]
    assert found == expected and not waiting, f"{found}, waiting: {waiting}, after\n{done.stderr}"


def test_an_error_comes_before_a_value_and_a_value_in_range_stays():
    made = graded_cell(value("3"), error("AssertionError", "no"))
    CountPoints().preprocess_cell(made, {}, 0)
    assert [output.output_type for output in made.outputs] == ["error", "execute_result"], made.outputs
    made = graded_cell(value("3"))
    CountPoints().preprocess_cell(made, {}, 0)
    assert made.outputs[0].data == {"text/plain": "3"} and not made.outputs[0].metadata, made.outputs


WARNS = "import warnings\n\n\ndef double(x):\n    warnings.warn('old')\n    __import__('os').write(2, b'noise')\n    return 2 * x"


@pytest.mark.parametrize("config", [".", "tools/jupyter/student"])
def test_validate_finds_no_fault_with_a_passing_test_that_warns(toy, tmp_path, config):
    path = tmp_path / "notebooks" / "exercises" / "toy" / "toy.ipynb"
    released = path.read_bytes()

    def validate(answer: str) -> dict:
        notebook = nbformat.reads(released.decode(), as_version=4)
        next(cell for cell in notebook.cells if cell.id == "answer").source = answer
        nbformat.write(notebook, path)
        loaded = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT / config)).load_config()
        return Validator(config=loaded).validate(str(path))

    assert validate(WARNS) == {}, f"with {config}, Validate calls this failed: {validate(WARNS)}"
    failed = validate("def double(x):\n    return x").get("failed", [])
    assert len(failed) == 2, f"with {config}, Validate finds {len(failed)} failed tests of 2"


def test_validate_shows_a_failed_test_by_name_with_its_sentence_and_other_errors_as_they_came():
    config = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT / "tools/jupyter/student")).load_config()

    def shown(kind: str, source_now: str) -> tuple[str, str, int]:
        """The cell, what is said of it, and how many cells are called changed."""
        made = graded_cell(new_output("error", ename=kind, evalue="2 came out.", traceback=["the way there", f"{kind}: 2 came out."]))
        made.source = source
        made.metadata.nbgrader.update(cell_type="code", checksum=compute_checksum(made))
        made.source = source_now
        config.Validator.preprocessors[-1]().preprocess_cell(made, {}, 0)
        validator = Validator()
        return made.source, validator._extract_error(made), len(validator._get_changed_cells(new_notebook(cells=[made])))

    source = "def test_double():\n    assert double(1) == 2\n\n\ntest_double()"
    assert shown("AssertionError", source) == ("test_double()", "AssertionError: 2 came out.", 0)
    assert shown("AssertionError", f"{source}  # changed")[2] == 1, "a changed test has to be called changed as before"
    assert shown("TypeError", source) == (source, "the way there\nTypeError: 2 came out.", 0)


def test_what_a_student_adds_to_a_locked_cell_is_run_before_it(toy, tmp_path):
    write_exercise(toy, cell("given", "import math\nthree = 3", locked=True), HALF, HALVES)

    def given(source):
        def change(notebook):
            next(cell for cell in notebook.cells if cell.id == "given").source = source
            next(cell for cell in notebook.cells if cell.id == "half").source = "def half(x):\n    return np.divide(x, 5 - three)"

        return change

    hand_in(toy, "adds", RIGHT, given("import math\nimport numpy as np\nthree = 4"))
    hand_in(toy, "breaks", RIGHT, given("import numpy as np\n1 / 0"))
    text = run(toy, tmp_path / "in")
    assert marks(toy) == {"adds": 15.0, "breaks": 15.0}, f"{marks(toy)}, in\n{text}"
    assert "adds/toy: locked cells were changed, and were run as changed and then as the exercise has them: given." in text, text


def test_whatever_cells_a_hand_in_lacks_nothing_waits_for_a_manual_grade(toy, tmp_path):
    write_exercise(toy, cell("given", "three = 3", locked=True), HALF, cell("note", "four = 4", locked=True), HALVES)
    both = f"{RIGHT}\n\n\ndef half(x):\n    return x / 2"

    def without(*names):
        return lambda notebook: setattr(notebook, "cells", [cell for cell in notebook.cells if cell.id not in names])

    def stripped(notebook):
        for cell in notebook.cells:
            cell.metadata.clear()

    def as_text(notebook):
        for place, cell in enumerate(notebook.cells):
            if cell.id in ("numbers", "half"):
                notebook.cells[place] = new_markdown_cell(cell.source, id=cell.id, metadata=cell.metadata)

    def other_roles(notebook):
        for cell in notebook.cells:
            cell.metadata.nbgrader.update(grade=False, solution=False, locked=False, points=100)

    def other_names(notebook):
        for cell in notebook.cells:
            cell.metadata.nbgrader["grade_id"] += "-2"

    cases = {
        **{f"no-{name}": (both, without(name), 15.0) for name in ("numbers", "words", "halves", "given", "note", "half")},
        "no-tests": (both, without("numbers", "words", "halves"), 15.0),
        "no-words-nor-answer": (both, without("answer", "words"), 0.0),
        "no-half-nor-halves": (RIGHT, without("half", "halves"), 10.0),
        "no-cells": (both, lambda notebook: notebook.cells.clear(), 0.0),
        "own-cells": (both, lambda notebook: notebook.cells.__setitem__(slice(None), [new_code_cell(both, id="own")]), 15.0),
        "stripped": (both, stripped, 15.0),
        "as-text": (both, as_text, 15.0),
        "other-roles": (both, other_roles, 15.0),
        "other-names": (both, other_names, 15.0),
    }
    for student, (answer, change, _) in cases.items():
        hand_in(toy, student, answer, change)
    text = run(toy, tmp_path / "in")

    expected = {student: score for student, (*_, score) in cases.items()}
    # A hand-in's own `half`, unanswered, stands where it did.
    unanswered = {"as-text", "no-numbers", "no-words", "no-halves", "no-given", "no-note", "no-tests", "stripped", "other-roles", "other-names"}
    expected |= {student: 10.0 for student in unanswered}
    assert marks(toy) == expected, f"{marks(toy)} instead of {expected}, in\n{text}"
    with toy.gradebook() as gradebook:
        for submission in gradebook.find_assignment("toy").submissions:
            grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
            waiting = [grade.name for grade in grades if grade.needs_manual_grade or grade.auto_score is None]
            assert not waiting, f"{submission.student.id}: {waiting} wait for a manual grade"
    for student in cases:
        if student.startswith("no-") and student not in ("no-given", "no-note", "no-half", "no-cells"):
            assert f"{student}/toy: tests were missing and put back" in text, f"nothing says so of {student} in\n{text}"

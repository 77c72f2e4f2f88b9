"""The zip that students get (`make course`), tried from the packed file."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from bank import QUICK, answer
from nbformat.v4 import new_code_cell
from notebook_guards import broken_links
from private_lines import leaks, private_lines
from small_course import environment, run, scores  # noqa: F401

from helpers.grading.course import Course
from helpers.grading.pack import NAME, pack

COURSE = Course()

# Runs an exercise's cells in order, as a kernel would, and says where it stopped.
FIRST_UNANSWERED = """
import json, sys
import helpers, helpers.checks, helpers.observer
print("helpers from", helpers.__file__)
names = {}
for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    if cell["cell_type"] == "code":
        try:
            exec("".join(cell["source"]), names)
        except BaseException as error:
            print(type(error).__name__)
            break
"""


@pytest.fixture(scope="module")
def packed(tmp_path_factory) -> Path:
    return pack(COURSE, tmp_path_factory.mktemp("packed") / "course.zip")


@pytest.fixture(scope="module")
def unpacked(packed, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(folder)
    return folder / NAME


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_packing_twice_writes_the_same_bytes(packed, tmp_path):
    assert pack(COURSE, tmp_path / "again.zip").read_bytes() == packed.read_bytes(), "the zip depends on more than the course"


def test_the_zip_holds_every_lesson_exercise_and_helper_and_the_set_up(unpacked):
    root = COURSE.root
    wanted = {path.relative_to(root).as_posix() for pattern in ("notebooks/*.ipynb", "notebooks/figures/*", "helpers/**/*.py")
              for path in root.glob(pattern) if "grading" not in path.relative_to(root).parts}
    wanted |= {f"notebooks/exercises/{name}/{name}.ipynb" for name in COURSE.exercises}
    wanted |= {"README.md", "Makefile", "pyproject.toml", "constraints.txt", "environment.yml", "tools/install.py"}
    assert wanted <= names(unpacked), f"missing in the zip: {sorted(wanted - names(unpacked))}"


def test_the_zip_holds_nothing_of_the_instructors_side(unpacked):
    wrong = {name for name in names(unpacked)
             if name.startswith(("solutions/", "tests/", "class/", "helpers/grading")) or name in ("instructor.mk", "nbgrader_config.py")}
    assert not wrong, f"students would get {sorted(wrong)}"


def shown(cell: nbformat.NotebookNode) -> str:
    """What the cell's outputs say."""
    texts = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.get("outputs", [])]
    return "\n".join(["", *texts])


def test_no_file_in_the_zip_shows_a_hidden_test_or_an_answer(unpacked):
    hidden = set().union(*(private_lines(COURSE.solution(exercise), ("HIDDEN TESTS",)) for exercise in COURSE.exercises))
    hidden = {line for line in hidden if len(line) >= 40}  # shorter ones may well be met elsewhere
    found = {}
    for path in sorted(unpacked.rglob("*")):
        if path.suffix == ".ipynb":
            cells = nbformat.read(path, as_version=4).cells
            text = "\n".join(cell.source + shown(cell) for cell in cells)
        elif path.is_file():
            text = path.read_text(encoding="utf-8")
        else:
            continue
        exercise = path.stem if path.parent.parent.name == "exercises" else None
        private = private_lines(COURSE.solution(exercise)) if exercise else hidden
        if seen := leaks(text, private):
            found[path.relative_to(unpacked).as_posix()] = seen
    assert not found, f"students would read, by file: {found}"


def test_every_link_in_the_zip_leads_somewhere(unpacked):
    broken = {}
    for path in [unpacked / "README.md", *unpacked.rglob("*.ipynb")]:
        text = path.read_text(encoding="utf-8") if path.suffix == ".md" else "\n\n".join(
            cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown")
        if faults := broken_links(text, path.parent):
            broken[path.relative_to(unpacked).as_posix()] = faults
    assert not broken, f"links that lead nowhere once unpacked: {broken}"


def test_an_exercise_runs_from_the_zip_up_to_its_first_missing_answer(unpacked):
    exercise = f"notebooks/exercises/{COURSE.exercises[0]}/{COURSE.exercises[0]}.ipynb"
    ran = subprocess.run([sys.executable, "-c", FIRST_UNANSWERED, exercise], cwd=unpacked, capture_output=True, text=True)
    expected = f"helpers from {unpacked / 'helpers' / '__init__.py'}\nNotImplementedError\n"
    assert ran.stdout == expected, f"{exercise} gave\n{ran.stdout}{ran.stderr}\nand not, with the zip's own helpers,\n{expected}"


def test_the_students_make_lists_their_commands_only(unpacked):
    listed = subprocess.run(["make", "help"], cwd=unpacked, capture_output=True, text=True)
    commands = [line.split()[1] for line in listed.stdout.splitlines()]
    assert listed.returncode == 0 and "lab" in commands, f"`make help` says {listed.stdout}{listed.stderr}"
    assert not {"grade", "release", "course"} & set(commands), f"students are offered {commands}"


# -- The student's way, in the copy that students get ------------------------------------------

ANSWERS = QUICK | {"masks": "row_by_row", "permutation": "loops"}


@pytest.fixture(scope="module")
def answered(unpacked, tmp_path_factory) -> Path:
    """The copy of a student who has answered everything."""
    copy = tmp_path_factory.mktemp("answered") / NAME
    shutil.copytree(unpacked, copy)
    for exercise in COURSE.exercises:
        notebook = answer(exercise, "right", ANSWERS[exercise]).notebook()
        path = str(copy / "helpers" / "__init__.py")
        # Where it is checked, it is this copy's helpers that it uses; or the check notes that a cell ended the kernel.
        own = f"import os\nimport helpers\nif 'check-' in os.getcwd() and helpers.__file__ != {path!r}: os._exit(1)"
        notebook.cells.insert(0, new_code_cell(own, id="own"))
        nbformat.write(notebook, copy / "notebooks" / "exercises" / exercise / f"{exercise}.ipynb")
    return copy


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    """A command as students without make call it, in a folder from the zip."""
    outer = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run([sys.executable, "-m", *arguments], cwd=folder, env=outer, capture_output=True, text=True, timeout=120)


def test_a_student_checks_and_hands_in_and_has_full_marks(answered, tmp_path):
    handed_in = command(answered, "helpers.handin", "ada")
    said = handed_in.stdout
    assert handed_in.returncode == 0 and not handed_in.stderr, f"{said}{handed_in.stderr}"
    assert "The tests you see give 30 of 30 points." in said and "Note:" not in said, said
    packed = answered / "handin-ada.zip"
    assert said.endswith(f"Hand in this file: {packed}\n"), said

    course = Course(room=tmp_path / "class")
    text = run(course, packed)
    assert scores(course) == {("ada", exercise): 10.0 for exercise in COURSE.exercises} and "No remarks." in text, text

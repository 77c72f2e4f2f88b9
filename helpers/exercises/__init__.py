"""What holds for an exercise's notebook on both sides: where it is checked, handed in, and graded.

One rule, one place: what grading would refuse, a student is told before handing in.

    execution.py  how its cells are run
    scoring.py    what became of its tests
    parts.py      both, for each part, where a student checks it
"""

import codecs
import json
import logging
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.utils import compute_checksum, is_grade

from helpers.command import Refused

LARGEST_FILE = 20 * 2**20  # bytes: a notebook with many pictures holds two or three million
MISTAKES = Path(__file__).parents[1] / "mistakes"
LARGEST_HAND_IN = 2 * LARGEST_FILE  # bytes, of a student's zip


class Unreadable(Exception):
    """A file that is no notebook; the message is a clause that says so."""


def parse(content: bytes) -> NotebookNode:
    """The notebook that a file's content holds.

    Raises:
        Unreadable: it holds none.
    """
    try:
        with quiet():
            # Some Windows editors write a byte-order mark, which nbformat does not read.
            notebook = nbformat.reads(content.removeprefix(codecs.BOM_UTF8).decode("utf-8"), as_version=4)
            nbformat.validate(notebook)
        for cell in notebook.cells:  # which nbformat leaves to nbgrader
            hash(cell.metadata.get("nbgrader", {}).get("grade_id"))
        return notebook
    except UnicodeDecodeError:
        raise Unreadable("the file is not text, so no notebook") from None
    except nbformat.reader.NotJSONError:
        raise Unreadable("the file is not a notebook (not JSON): perhaps a download that was cut off") from None
    except Exception:  # nbformat raises nearly anything on JSON that is no notebook
        raise Unreadable("the file is JSON, but not a notebook") from None


def exercise_names(folder: Path, asked: list[str]) -> list[str]:
    """The exercises in `folder`: those that were asked for, or all; a folder of a student's own is none.

    Raises:
        Refused: there is none, or none of a name that was asked for.
    """
    there = sorted(path.name for path in folder.glob("*") if known_tests(path.name) or (path / f"{path.name}.ipynb").is_file())
    if not there:
        raise Refused(f"There is no exercise in {folder}: take that folder again from the zip you got.")
    files = {(folder / name / file).resolve(): name for name in there for file in ("", f"{name}.ipynb")}
    names = [files.get(Path(name).resolve(), name) for name in asked]
    for name in names:
        if name not in there:
            if known_tests(name):
                raise Refused(f"The exercise {name} is not in {folder}: take its folder again from the zip you got.")
            raise Refused(f"There is no exercise {name!r}; there are {', '.join(there)}.")
    return list(dict.fromkeys(names)) or there


def missing(folder: Path) -> list[str]:
    """A remark on each exercise of the course that is not in `folder`, if others are."""
    known = sorted(file.stem for file in MISTAKES.glob("*.json"))
    gone = [name for name in known if not (folder / name).is_dir()]
    return [f"the exercise {name} is missing: take its folder again from the zip you got." for name in gone] if gone != known else []


def passed_over(folder: Path, name: str) -> list[str]:
    """A remark on each notebook that looks like one of the exercise `name` and is not looked at."""
    counts = folder / name / f"{name}.ipynb"
    alike = {*counts.parent.glob("*.ipynb"), *folder.glob(f"{name}*.ipynb"), *folder.glob(f"[!.]*/{name}*.ipynb")} - {counts}
    others = sorted(path.relative_to(folder) for path in alike if path.stem != path.parent.name)
    return [f"{path} is not looked at; the one that counts is {counts.relative_to(folder)}." for path in others]


def read(folder: Path, name: str) -> tuple[bytes, NotebookNode]:
    """The file of the exercise `name` in `folder`, and the notebook it holds.

    Raises:
        Refused: grading would find none, or could not read it.
    """
    path = folder / name / f"{name}.ipynb"
    if path.name not in [other.name for other in path.parent.iterdir()]:  # where Scaling.ipynb is scaling.ipynb, too
        others = sorted(other.name for other in path.parent.glob("*.ipynb"))
        what = f"only {', '.join(others)}; rename the one that counts" if others else "take it again from the zip you got"
        raise Refused(f"{name}: there is no file {path.name} in {path.parent}, {what}.")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise Refused(f"{name}: {path} cannot be read ({error.strerror or error}).") from None
    if len(content) > LARGEST_FILE:
        raise Refused(
            f"{name}: {path.name} is larger than {LARGEST_FILE >> 20} MB; choose *Edit → Clear Outputs of All Cells*, and save."
        )
    try:
        return content, parse(content)
    except Unreadable as unreadable:
        raise Refused(f"{name}: {unreadable}; take it again from the zip you got, and write your answers into that.") from None


def is_released(cell: NotebookNode) -> bool:
    """Whether a cell is as it was released, by the checksum that nbgrader gave it then."""
    try:
        return cell.metadata.nbgrader.checksum == compute_checksum(cell)
    except (AttributeError, KeyError, TypeError, ValueError):  # no checksum, or nothing to compute it from
        return False


def known_tests(name: str) -> dict[str, tuple[str, float]]:
    """The graded cells that an exercise of the course has → what they are called, and their points; also those that a copy has lost."""
    file = MISTAKES / f"{name}.json"
    cells = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return {cell: (known["name"], known["points"]) for cell, known in cells.items()}


def marked(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells that nbgrader knows by name: answers, tests, and what is given."""
    return [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id")]


def repeated(notebook: NotebookNode) -> list[str]:
    """A remark on each cell that is there more than once."""
    ids = Counter(cell.metadata.nbgrader.grade_id for cell in marked(notebook))
    return [f"cell {name} is there {count} times; the last one counts." for name, count in ids.items() if count > 1]


def part_names(cells: list) -> dict[str, str]:
    """Graded cells → what they are called: `**Test: NAME**` in the text just before, or else their id."""
    names, heading = {}, ""
    for cell in cells:
        if is_grade(cell):
            names[cell.metadata.nbgrader.grade_id] = heading or cell.metadata.nbgrader.grade_id
        headings = re.findall(r"\*\*Test: (.+?)\*\*", cell.source) if cell.cell_type == "markdown" else []
        heading = headings[-1].replace("`", "") if headings else heading if cell.cell_type == "markdown" else ""
    return names


@contextmanager
def quiet() -> Iterator[list[str]]:
    """Collect what nbgrader logs instead of showing it; a stranger's notebook gives no warning of ours."""
    heard: list[str] = []

    class Ear(logging.Handler):
        def emit(self, record):
            heard.append(record.getMessage())

    logger, ear = logging.getLogger("traitlets"), Ear()
    propagate, level = logger.propagate, logger.level
    logger.propagate = False
    logger.setLevel(logging.INFO)
    logger.addHandler(ear)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield heard
    finally:
        logger.removeHandler(ear)
        logger.setLevel(level)
        logger.propagate = propagate

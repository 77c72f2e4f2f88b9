"""What was graded already, the gradebook, `grades.csv` and the table.

Beside nbgrader's own rooms, `class/records/STUDENT/EXERCISE.json` remembers what each grade
was made from. It is written last: whatever was interrupted before is simply done again.
"""

import codecs
import csv
import hashlib
import json
import os
import platform
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path

from nbgrader.api import Assignment, Comment, Grade, MissingEntry, SubmittedAssignment, SubmittedNotebook
from nbgrader.plugins import CsvExportPlugin

from helpers.files import whole
from helpers.grading.course import Course
from helpers.grading.intake import HandIn


def write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; a file that already says the same is left alone."""
    if path.is_file() and path.read_bytes() == content:
        return
    with whole(path) as file:
        file.write(content)


# -- What a grade was made from --------------------------------------------------------------

# What no grade depends on, in `helpers`: commands, pictures to play with, and this package.
WITHOUT_GRADES = {"check.py", "command.py", "doctor.py", "handin.py", "lab.py", "explore", "grading"}


@dataclass
class Record:
    """What there is to say about one hand-in, and the fingerprint of what its grade was made from."""

    received: list[str] = field(default_factory=list)  # on the file as it came
    graded: list[str] = field(default_factory=list)  # on what happened when it ran
    lost: dict[str, list[str]] = field(default_factory=dict)  # graded cell → why it failed, for the class at a glance
    made_from: str = ""
    marks: str = ""  # of the marks and comments on its feedback page, a fingerprint

    @staticmethod
    def path(course: Course, student: str, exercise: str) -> Path:
        return course.room / "records" / student / f"{exercise}.json"

    @classmethod
    def load(cls, course: Course, student: str, exercise: str) -> "Record":
        try:
            return cls(**json.loads(cls.path(course, student, exercise).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return cls()

    def save(self, course: Course, student: str, exercise: str) -> None:
        write(self.path(course, student, exercise), json.dumps(asdict(self), indent=1).encode())


def digest(*contents: bytes) -> str:
    """A hash of several contents, in which it counts where one ends."""
    return hashlib.sha256(b"".join(hashlib.sha256(content).digest() for content in contents)).hexdigest()


def fingerprint(course: Course, exercise: str) -> str:
    """Of everything but the hand-in that a grade depends on: exercise, helpers, settings, versions."""
    files = sorted(path for path in course.solution(exercise).parent.rglob("*") if path.is_file())
    helpers = course.root / "helpers"
    files += sorted(path for path in helpers.rglob("*.py") if path.relative_to(helpers).parts[0] not in WITHOUT_GRADES)
    files += sorted((helpers / "mistakes").glob("*.json"))
    files += [course.root / "nbgrader_config.py"]
    versions = [platform.python_version(), *(f"{name} {version(name)}" for name in ("torch", "numpy", "nbgrader"))]
    return digest(*(path.read_bytes() for path in files), *(text.encode() for text in versions))


# -- Receiving -------------------------------------------------------------------------------


def receive(course: Course, hand_in: HandIn) -> None:
    """Put a hand-in into `class/submitted`; an empty one does not replace an earlier one."""
    folder = course.folder("submitted", hand_in.student, hand_in.exercise)
    folder.mkdir(parents=True, exist_ok=True)
    notebook, timestamp = folder / f"{hand_in.exercise}.ipynb", folder / "timestamp.txt"
    if hand_in.notebook:
        # nbgrader reads no byte-order mark, which some Windows editors write.
        write(notebook, hand_in.notebook.read_bytes().removeprefix(codecs.BOM_UTF8))
        if hand_in.timestamp:
            write(timestamp, hand_in.timestamp.encode())
        else:
            timestamp.unlink(missing_ok=True)
    remarks = list(hand_in.remarks)
    if not hand_in.notebook and notebook.exists():
        remarks.append(f"{hand_in.student}/{hand_in.exercise}: the file handed in earlier counts.")
    record = Record.load(course, hand_in.student, hand_in.exercise)
    record.received = remarks
    record.save(course, hand_in.student, hand_in.exercise)


def received(course: Course) -> list[tuple[str, str]]:
    """Every (student, exercise) in `class/submitted`."""
    folders = (course.room / "submitted").glob("*/*/")
    return sorted((folder.parent.name, folder.name) for folder in folders if folder.name in course.exercises)


# -- The gradebook ---------------------------------------------------------------------------


def enrol(course: Course, students: dict[str, dict[str, str]]) -> None:
    """Tell the gradebook who there is: id → names and e-mail, as a roster has them."""
    with course.gradebook() as gradebook:
        for student, who in students.items():
            gradebook.update_or_create_student(student, **who)


def students(course: Course) -> set[str]:
    """The ids of all whom the gradebook knows."""
    with course.gradebook() as gradebook:
        return {student.id for student in gradebook.students}


def is_in_gradebook(course: Course) -> set[tuple[str, str]]:
    """Every (student, exercise) that has a grade."""
    with course.gradebook() as gradebook:
        return {(s.student.id, a.name) for a in gradebook.assignments for s in a.submissions}


def forget_timestamp(course: Course, student: str, exercise: str) -> None:
    """nbgrader sets a timestamp but never takes one back; a newer file may come without."""
    with course.gradebook() as gradebook:
        try:
            gradebook.find_submission(exercise, student).timestamp = None
            gradebook.db.commit()
        except MissingEntry:
            pass


def zero(course: Course, student: str, exercise: str) -> None:
    """No points in any graded cell, and nothing left for a manual grader to do."""
    with course.gradebook() as gradebook:
        submission = gradebook.update_or_create_submission(exercise, student)
        for notebook in submission.notebooks:
            notebook.late_submission_penalty = None
            for grade in notebook.grades:
                grade.auto_score = 0
                grade.needs_manual_grade = False
        gradebook.db.commit()


def marks(course: Course, *one: str) -> dict[tuple[str, str], str]:
    """(student, exercise) → a fingerprint of what its feedback page takes from the gradebook; of all, or of one."""
    found = defaultdict(list)
    with course.gradebook() as gradebook:
        for table, *what in (
            (Grade, Grade.auto_score, Grade.manual_score, Grade.extra_credit),
            (Comment, Comment.auto_comment, Comment.manual_comment),
        ):
            query = (
                gradebook.db.query(SubmittedAssignment.student_id, Assignment.name, table.cell_id, *what)
                .join(SubmittedNotebook, table.notebook_id == SubmittedNotebook.id)
                .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
                .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
            )
            if one:
                query = query.filter(SubmittedAssignment.student_id == one[0], Assignment.name == one[1])
            for student, exercise, *row in query:
                found[student, exercise].append(repr(row).encode())
    return {where: digest(*sorted(rows)) for where, rows in found.items()}


def points(course: Course, student: str, exercise: str) -> tuple[float, float]:
    """What a hand-in has in the gradebook, and what it could have."""
    with course.gradebook() as gradebook:
        submission = gradebook.find_submission(exercise, student)
        return submission.score, submission.max_score


# -- grades.csv and the table ----------------------------------------------------------------


def export(course: Course) -> Path:
    """Write `grades.csv` by nbgrader's own exporter, whole or not at all."""
    unfinished = course.room / f".export.{os.getpid()}"
    with course.gradebook() as gradebook:
        exporter = CsvExportPlugin()
        exporter.to = str(unfinished)
        exporter.export(gradebook)
    write(course.room / "grades.csv", unfinished.read_bytes())
    unfinished.unlink()
    return course.room / "grades.csv"


def table(course: Course) -> str:
    """The rows of `grades.csv` as a table student × exercise; a dash where nothing was handed in."""
    with open(course.room / "grades.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    there = set(received(course))
    names = list(dict.fromkeys(row["assignment"] for row in rows))
    scores = {(row["student_id"], row["assignment"]): float(row["score"]) for row in rows}
    students = list(dict.fromkeys(row["student_id"] for row in rows))
    maximum = {row["assignment"]: float(row["max_score"]) for row in rows}

    def line(student: str) -> list[str]:
        marks = [f"{scores[student, name]:g}" if (student, name) in there else "–" for name in names]
        return [student, *marks, f"{sum(scores[student, name] for name in names):g}"]

    lines = [["student", *names, "total"], *map(line, students)]
    lines.append(["of", *(f"{maximum[name]:g}" for name in names), f"{sum(maximum.values()):g}"])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))])
        for row in lines
    )

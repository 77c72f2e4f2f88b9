"""The class at a glance: what became of each part of each exercise, and which mistakes were made.

Why a hand-in lost a part is kept in its record when it is graded, so that a look costs next to
nothing afterwards. Points are the gradebook's at the moment of looking, marks given by hand among
them. `page.py` says it in HTML.
"""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field

import nbformat
from nbgrader.api import Assignment, Grade, GradeCell, SubmittedAssignment, SubmittedNotebook
from nbgrader.utils import is_grade

from helpers import phrases, reasons
from helpers.exercises import part_names
from helpers.exercises.execution import ENDED, STUCK
from helpers.grading import results
from helpers.grading.course import Course

# Why a part was lost, where no mistake is named.
NOT_ANSWERED = "not answered"
MISSING = "the function is missing"
STOPPED = "stopped or ended the kernel"
NOT_GRADED = "empty, or could not be read or graded"
BY_HAND = "marked by hand"
UNKNOWN = "no known mistake"
REASONS = {NOT_ANSWERED, MISSING, STOPPED, NOT_GRADED, BY_HAND, UNKNOWN}

WHOLE = ""  # in a record, in place of a cell's name: why nothing in the hand-in has points


# -- When a hand-in was graded ---------------------------------------------------------------


def causes(course: Course, student: str, exercise: str) -> dict[str, list[str]]:
    """For each graded cell that failed the mistakes that its message names, or else one of the words above."""
    notebook = nbformat.read(course.folder("autograded", student, exercise) / f"{exercise}.ipynb", as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and is_grade(cell)]
    if not cells:  # a note stands in place of a hand-in that could not be graded
        return {WHOLE: [NOT_GRADED]}
    found = {cell.metadata.nbgrader.grade_id: _cause(exercise, cell.outputs) for cell in cells}
    return {name: cause for name, cause in found.items() if cause}


def _cause(exercise: str, outputs: list) -> list[str]:
    errors = [output for output in outputs if output.output_type == "error"]
    message = "\n".join(error.evalue for error in errors)
    if mistakes := reasons.named(exercise, message):
        return mistakes
    if phrases.NOT_ANSWERED in message:
        return [NOT_ANSWERED]
    if phrases.NO_FUNCTION in message:
        return [MISSING]
    if any(error.ename in (ENDED, STUCK) for error in errors):
        return [STOPPED]
    return [UNKNOWN] if errors else []


# -- What there is to say --------------------------------------------------------------------


@dataclass
class PartTally:
    """One graded cell, and what became of it in the whole class."""

    cell: str
    name: str
    points: float
    passed: int = 0  # with all of its points
    earned: float = 0.0  # points of the whole class
    mistakes: Counter = field(default_factory=Counter)  # known ones; those that fit alike are one entry
    others: Counter = field(default_factory=Counter)  # lost for another reason


@dataclass
class ExerciseTally:
    """One exercise, and who made which mistake anywhere in it."""

    name: str
    title: str
    parts: list[PartTally]
    handed_in: int = 0
    made_by: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # mistake → students

    @property
    def lost_most(self) -> list[PartTally]:
        """The parts that fewer passed than any other."""
        passed = [part.passed for part in self.parts]
        return [part for part in self.parts if part.passed == min(passed) < max(passed)]


def look(course: Course) -> list[ExerciseTally]:
    """The class as the gradebook and the records have it, in the order of the exercises' titles."""
    handed_in = defaultdict(list)
    for student, exercise in results.received(course):
        handed_in[exercise].append(student)
    marks = _marks(course)
    exercises = [_outline(course, name) for name in course.exercises]
    for exercise in exercises:
        exercise.handed_in = len(handed_in[exercise.name])
        for student in handed_in[exercise.name]:
            lost = results.Record.load(course, student, exercise.name).lost
            for part in exercise.parts:
                points, by_hand = marks.get((exercise.name, student, part.cell), (0.0, False))
                part.earned += points
                if points >= part.points:
                    part.passed += 1
                    continue
                cause = lost.get(part.cell) or lost.get(WHOLE) or [BY_HAND if by_hand else UNKNOWN]
                words = "; or ".join(cause)
                if words in REASONS:
                    part.others[words] += 1
                else:
                    part.mistakes[words] += 1
                    exercise.made_by[words].add(student)
    return sorted(exercises, key=lambda exercise: exercise.title)


def _marks(course: Course) -> dict[tuple[str, str, str], tuple[float, bool]]:
    """(exercise, student, graded cell) → the points it counts with, and whether somebody gave them by hand."""
    with course.gradebook() as gradebook:
        query = (
            gradebook.db.query(
                Assignment.name, SubmittedAssignment.student_id, GradeCell.name, Grade.score, Grade.manual_score
            )
            .select_from(Grade)
            .join(GradeCell, Grade.cell_id == GradeCell.id)
            .join(SubmittedNotebook, Grade.notebook_id == SubmittedNotebook.id)
            .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        )
        return {tuple(where): (points, by_hand is not None) for *where, points, by_hand in query}


def _outline(course: Course, exercise: str) -> ExerciseTally:
    """Title and parts, as the solution notebook calls them: `# TITLE`, and what feedback calls a test."""
    cells = nbformat.read(course.solution(exercise), as_version=4).cells
    titles = re.findall(r"^# (.+)$", "\n".join(cell.source for cell in cells if cell.cell_type == "markdown"), re.MULTILINE)
    points = {cell.metadata.nbgrader.grade_id: cell.metadata.nbgrader.points for cell in cells if is_grade(cell)}
    parts = [PartTally(cell, name, points[cell]) for cell, name in part_names(cells).items() if points[cell] > 0]
    return ExerciseTally(exercise, titles[0].strip() if titles else exercise, parts)

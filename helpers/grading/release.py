"""Write what students get, `notebooks/exercises/`, from `solutions/`."""

import shutil
import tempfile
from pathlib import Path

from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import SaveCells

from helpers.command import Refused
from helpers.grading.course import Course, Failed, convert, reason


def generate(course: Course, into: Path) -> None:
    """Write the released copy of every exercise to `into/NAME/NAME.ipynb`; needs no gradebook.

    Raises:
        Refused: nbgrader cannot make an exercise of a solution.
    """
    config = course.settings(release_directory=str(into))
    steps = [step for step in GenerateAssignment.preprocessors.default() if step is not SaveCells]
    config.GenerateAssignment.update({"no_database": True, "preprocessors": steps})
    for exercise in course.exercises:
        try:
            convert(GenerateAssignment, config, exercise)
        except Failed as failed:
            raise Refused(f"{course.solution(exercise)} cannot be made into an exercise: {reason(failed)}.") from None


def release(course: Course) -> list[str]:
    """Renew `notebooks/exercises/`; the same solutions always give the same bytes.

    Raises:
        Refused: there is no solution, or an exercise cannot be made of one. Nothing has changed then.
    """
    if not course.exercises:
        raise Refused(f"There is no exercise in {course.root / 'solutions'}.")
    target = course.root / "notebooks" / "exercises"
    with tempfile.TemporaryDirectory() as scratch:
        generate(course, Path(scratch))
        shutil.rmtree(target, ignore_errors=True)
        for exercise in course.exercises:
            shutil.copytree(Path(scratch) / exercise, target / exercise)
    return course.exercises

"""Pack what students get into one zip: lessons, exercises, `helpers` without this side, set-up."""

import tempfile
from pathlib import Path

from helpers.files import whole, zipped
from helpers.grading.course import Course
from helpers.grading.release import generate

NAME = "transformers-from-scratch"
# Everything a student gets, as patterns below the course's folder. What is not named stays here.
CONTENTS = [
    "notebooks/*.ipynb",
    "notebooks/figures/*",
    "helpers/**/*.py",
    "helpers/mistakes/*.json",
    "Makefile",
    "tools/install.py",
    "tools/jupyter/**/*",
    "pyproject.toml",
    "constraints.txt",
    "environment.yml",
]
LEFT_OUT = {"grading", "__pycache__", ".ipynb_checkpoints"}  # folders
GUIDE = "STUDENTS.md"  # becomes README.md


def pack(course: Course, target: Path | None = None) -> Path:
    """Write `dist/transformers-from-scratch.zip` (or `target`); the same course always gives the same bytes."""
    target = target or course.root / "dist" / f"{NAME}.zip"
    files = {path.relative_to(course.root).as_posix(): path
             for pattern in CONTENTS for path in course.root.glob(pattern)
             if path.is_file() and not LEFT_OUT & set(path.relative_to(course.root).parts)}
    files["README.md"] = course.root / GUIDE
    with tempfile.TemporaryDirectory() as scratch:
        generate(course, Path(scratch))  # anew from the solutions, never a stale copy
        for exercise in course.exercises:
            name = f"{exercise}/{exercise}.ipynb"
            files[f"notebooks/exercises/{name}"] = Path(scratch) / name
        packed = zipped({f"{NAME}/{name}": path.read_bytes() for name, path in files.items()})
    with whole(target) as file:
        file.write(packed)
    return target

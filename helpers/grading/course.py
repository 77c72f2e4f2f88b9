"""Where things are: the exercises, the class's room, and nbgrader's settings for both."""

import functools
import glob
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import nbgrader.api
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config, PyFileConfigLoader

from helpers.command import ROOT
from helpers.exercises import quiet

# nbgrader makes its gradebook by a program of its own environment (alembic), which it looks for on
# the PATH, also where this Python was called by its full name.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])

# nbgrader opens the gradebook anew for each of its steps. One engine for each gradebook keeps the
# statements that SQLAlchemy compiled for it; its connections are closed with the gradebook all the same.
nbgrader.api.create_engine = functools.cache(nbgrader.api.create_engine)


@dataclass(frozen=True)
class Course:
    """The course at `root`, and the class graded in `room`."""

    root: Path = ROOT
    room: Path = ROOT / "class"

    @property
    def exercises(self) -> list[str]:
        """The names of the exercises: `solutions/NAME/NAME.ipynb`."""
        return sorted(path.stem for path in (self.root / "solutions").glob("*/*.ipynb") if path.stem == path.parent.name)

    def solution(self, exercise: str) -> Path:
        return self.root / "solutions" / exercise / f"{exercise}.ipynb"

    def folder(self, step: str, student: str, exercise: str) -> Path:
        """`class/STEP/STUDENT/EXERCISE`, where step is submitted, autograded, feedback or records."""
        return self.room / step / student / exercise

    def settings(self, **coursedir) -> Config:
        """nbgrader's settings from `nbgrader_config.py`, for this root and room."""
        config = PyFileConfigLoader("nbgrader_config.py", path=str(self.root)).load_config()
        rooms = {f"{step}_directory": str(self.room / step) for step in ("submitted", "autograded", "feedback")}
        config.CourseDirectory.update(
            {"root": str(self.root), "db_url": f"sqlite:///{self.room / 'gradebook.db'}"} | rooms | coursedir
        )
        return config

    @contextmanager
    def gradebook(self) -> Iterator[Gradebook]:
        config = self.settings().CourseDirectory
        with quiet(), Gradebook(config.db_url, config.course_id) as gradebook:
            yield gradebook


class Failed(Exception):
    """nbgrader gave up on something; the message is all it logged about it."""


def convert(converter: type, config: Config, exercise: str, student: str = ".") -> None:
    """Run one of nbgrader's converters (generate, autograde, feedback) on one exercise of one student.

    An id is a name here, not a pattern, whatever characters it holds.

    Raises:
        Failed: nbgrader gave up.
    """
    coursedir = CourseDirectory(config=config, assignment_id=exercise, student_id=glob.escape(student))
    with quiet() as log:
        try:
            converter(coursedir=coursedir, config=config, force=True).start()
        except Exception as error:
            raise Failed("\n".join([*log, f"{type(error).__name__}: {error}"])) from error


def reason(failed: Failed) -> str:
    """The first error that nbgrader logged, in one line."""
    errors = re.findall(r"^[\w.]*(?:Error|Exception)\b.*$", str(failed), re.MULTILINE)
    return errors[0].rstrip(".") if errors else "it gave no reason"

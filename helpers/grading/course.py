"""Where things are: the exercises, the class's room, and nbgrader's settings for both."""

from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config, PyFileConfigLoader

ROOT = Path(__file__).resolve().parents[2]


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

    def gradebook(self) -> Gradebook:
        config = self.settings().CourseDirectory
        return Gradebook(config.db_url, config.course_id)


def convert(converter: type, config: Config, exercise: str, student: str = ".") -> None:
    """Run one of nbgrader's converters (generate, autograde, feedback) on one exercise of one student.

    An id is a name here, not a pattern, whatever characters it holds.
    """
    import glob

    coursedir = CourseDirectory(config=config, assignment_id=exercise, student_id=glob.escape(student))
    converter(coursedir=coursedir, config=config, force=True).start()

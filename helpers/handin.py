"""Check the exercises and pack what is answered in them, to hand in: handin-NAME.zip in the course's folder.

NAME is who you are to your instructor: the id they know. Failing tests keep nothing back, because half
an answer counts; what grading could not use is refused with a sentence. Save your notebooks first.
"""

import argparse
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from helpers.check import report
from helpers.command import PYTHON, Refused, run
from helpers.files import whole, zipped
from helpers.ids import is_id

STATUS = "The exit status is 0 if the zip was written, 1 if not."


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m helpers.handin", description=__doc__, epilog=STATUS)
    parser.add_argument("name", nargs="?", default="", metavar="NAME", help="the id your instructor knows you by")
    parser.add_argument("exercises", nargs="*", metavar="EXERCISE", help="such as scaling; all that are answered if none is named")
    chosen = parser.parse_args(arguments)

    student = student_id(chosen.name)

    from helpers.exercises.parts import EXERCISES, ROOT  # after that: it takes a second

    hand_in(EXERCISES, chosen.exercises, student, ROOT)
    return 0


def student_id(name: str) -> str:
    """The id as grading reads it.

    Raises:
        Refused: there is none, or grading would take none from it.
    """
    student = unicodedata.normalize("NFC", name).strip()
    if not student:
        raise Refused(f"Who hands in? Name the id your instructor knows you by, as in `make handin NAME=ada` or `{PYTHON} -m helpers.handin ada`.")
    if not is_id(student):
        raise Refused(
            f"{student!r:.120} cannot be anybody's id: expected at most 100 letters, digits and . _ @ + ' - or spaces, "
            "with a letter or digit first."
        )
    return student


def hand_in(folder: Path, asked: list[str], student: str, into: Path) -> Path:
    """Check the exercises that are asked for, or all, and write the zip.

    Raises:
        Refused: grading could not use one of them, nothing is answered, or the zip cannot be written.
    """
    from helpers.exercises import LARGEST_HAND_IN

    target = into / f"handin-{student}.zip"
    with written(target), tempfile.TemporaryFile(dir=into):
        pass  # so that it is said before anything is checked
    checked, refused = report(folder, asked)
    if refused:
        others = [exercise.name for exercise in checked if exercise.answered]
        without = f" To hand in without: name the others ({', '.join(others)})." if others else ""
        raise Refused(f"Nothing was packed: {' and '.join(refused)} could not be graded, as said above.{without}")
    answered = [exercise for exercise in checked if exercise.answered]
    left_out = [exercise.name for exercise in checked if not exercise.answered]
    if not answered:
        raise Refused(f"Nothing was packed: nothing that is saved is answered in {' or '.join(left_out)}.")
    packed = archive(student, {exercise.name: exercise.content for exercise in answered})
    if len(packed) > LARGEST_HAND_IN:
        raise Refused(f"Nothing was packed: it would be larger than {LARGEST_HAND_IN >> 20} MB; clear the outputs of the notebooks, and save.")
    with written(target), whole(target) as file:
        file.write(packed)

    for exercise in answered:
        done = sum(part.done for part in exercise.parts)
        print(f"  in it     {exercise.name}: {done} of {len(exercise.parts)} parts done")
    for name in left_out:
        print(f"  left out  {name}: nothing is answered in it")
    print(f"Hand in this file: {target}")
    return target


@contextmanager
def written(target: Path) -> Iterator[None]:
    """Refuse where `target` cannot be written."""
    try:
        yield
    except OSError as error:
        raise Refused(f"Nothing was packed: {target} cannot be written ({error.strerror or error}).") from None


def archive(student: str, notebooks: dict[str, bytes]) -> bytes:
    """A zip of STUDENT/EXERCISE/EXERCISE.ipynb; the same notebooks always give the same bytes."""
    return zipped({f"{student}/{name}/{name}.ipynb": content for name, content in notebooks.items()})


if __name__ == "__main__":
    run(main)

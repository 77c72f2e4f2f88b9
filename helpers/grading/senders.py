"""Whose a file is, and which exercise and which copy, by where it lies and what it is called.

What a platform puts around a student's zip (a folder, the front of its name) is trusted before what the
student wrote (the zip's own name, the folders inside): nobody hands in for another.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from helpers.grading.roster import Roster

# What browsers, Jupyter and learning platforms append to a second copy: "x (1)", "x-Copy1", "x-1".
COPY = re.compile(r"(?:\s*\((?P<browser>\d+)\)|-Copy(?P<jupyter>\d+)|-(?P<platform>\d+))$")
ZIP = re.compile(r"(?:(?P<sender>[^_]+)_(?:.*_)?)?handin-(?P<id>.+)|(?P<front>[^_]+)_.*", re.DOTALL)
NOBODY = PurePosixPath("?")  # stands above what is in a zip, and is nobody's id


def place(path: PurePosixPath, exercises: list[str]) -> tuple[str, str | None, int | None]:
    """Whose notebook it is, for which exercise, and which copy of it (0 the first).

    No exercise: the place does not say. No copy: in the exercise's folder, but of another name.
    """
    stem, copy = uncopied(path.stem)
    names = {name.casefold(): name for name in exercises}
    *before, last = stem.split("_")
    folder = path.parent

    if folder.name in exercises and folder.parent.name:  # STUDENT/EXERCISE/EXERCISE.ipynb
        return folder.parent.name, folder.name, copy if stem.casefold() == folder.name else None
    if folder.name and stem.casefold() in names:  # STUDENT_…/EXERCISE.ipynb
        return folder.name.partition("_")[0], names[stem.casefold()], copy
    if before and last.casefold() in names:  # STUDENT_…_EXERCISE.ipynb
        return before[0], names[last.casefold()], copy
    if before:
        return before[0], None, None
    return folder.parent.name or folder.name.partition("_")[0], None, None


def uncopied(stem: str) -> tuple[str, int]:
    """A file's name without what was appended to a second copy, and its number."""
    suffix = COPY.search(stem)
    return (stem[: suffix.start()], int(next(filter(None, suffix.groups())))) if suffix else (stem, 0)


@dataclass
class Sender:
    """Of a student's zip: who handed it in, who it says it is from, and which copy it is."""

    student: str
    inside: list[str]
    copy: int


def sender(zipped: PurePosixPath, inside: Iterable[str], in_class_folder: bool, roster: Roster) -> Sender:
    """Who handed in a zip in which there are folders of the students `inside`.

    The first of these that names somebody: a folder above it that is called after a student on the roster;
    the folder it is in, if platforms make such (`STUDENT_…`) and it is not the class's; the front of the zip's name
    (`STUDENT_…_handin-ID.zip`); its own (`handin-ID.zip`); the folders inside.
    """
    inside = sorted({roster.resolve(name) for name in inside} - {NOBODY.name})
    stem, copy = uncopied(zipped.stem)
    if any(zipped.stem.endswith(f"handin-{name}") for name in inside):  # an id that ends like a copy
        stem, copy = zipped.stem, 0
    named = ZIP.fullmatch(stem)
    front = (named["sender"] or named["front"] or "") if named else ""
    folder, platforms, _ = zipped.parent.name.partition("_")
    candidates = [enrolled_above(zipped, roster), folder if platforms and not in_class_folder else ""]
    candidates += [front, (named["id"] or "") if named else ""]
    candidates += [stem] if roster.resolve(stem) in roster.students or not inside else []
    return Sender(next((roster.resolve(name) for name in candidates if name), ""), inside, copy)


def enrolled_above(path: PurePosixPath, roster: Roster) -> str:
    """The student on the roster after whom the outermost folder is called that is called after one; or nothing."""
    names = [name for folder in path.parent.parts for name in (folder, folder.partition("_")[0])]
    return next((roster.resolve(name) for name in names if roster.resolve(name) in roster.students), "")


def shared(zips: Iterable[PurePosixPath], others: Iterable[PurePosixPath]) -> set[PurePosixPath]:
    """The folder that holds zips of more than one student, if it is the only one with hand-ins: the class's."""
    by_folder: dict[PurePosixPath, set[str]] = {}
    for zipped in zips:
        named = ZIP.fullmatch(uncopied(zipped.stem)[0])
        by_folder.setdefault(zipped.parent, set()).add(next(filter(None, named.groups()), "") if named else zipped.stem)
    alone = len(by_folder.keys() | {path.parent for path in others}) == 1
    return {folder for folder, names in by_folder.items() if alone and len(names) > 1}

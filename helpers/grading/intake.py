"""From what an instructor has, a folder or a zip in any of three layouts, to hand-ins.

    STUDENT/EXERCISE/EXERCISE.ipynb     nbgrader's own layout
    STUDENT_…_EXERCISE.ipynb            a flat export: the id is what stands before the first underscore
    STUDENT_…/EXERCISE.ipynb            an export with a folder for each student

Folders around these do not matter, nor does what systems add (`__MACOSX`, `.DS_Store`).
Nothing is written outside a scratch folder, and nothing in a hand-in stops the class: what
cannot be used is named in `remarks`.
"""

import contextlib
import os
import re
import stat
import tempfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from nbgrader.utils import parse_utc

from ..exercises import IGNORED, LARGEST_FILE, is_id
from . import Refused
from .roster import Roster

LARGEST_CLASS = 4 * 2**30  # bytes, unpacked
MOST_FILES = 100_000
EXCHANGE = {"timestamp.txt", "submission_secret.txt"}  # what nbgrader's exchange puts beside a notebook

# What browsers, Jupyter and learning platforms append to a second copy: "x (1)", "x-Copy1", "x-1".
COPY = re.compile(r"(?:\s*\((?P<browser>\d+)\)|-Copy(?P<jupyter>\d+)|-(?P<platform>\d+))$")


@dataclass
class HandIn:
    """What one student handed in for one exercise; without a notebook, `remarks` says why."""

    student: str
    exercise: str
    notebook: Path | None = None
    timestamp: str | None = None  # nbgrader's timestamp.txt, where it lay beside the notebook
    remarks: list[str] = field(default_factory=list)


@dataclass
class Intake:
    """Everything found: hand-ins, the students they came from (some with none), and the rest."""

    hand_ins: list[HandIn]
    students: list[str]
    remarks: list[str]


# -- Opening ---------------------------------------------------------------------------------


@contextlib.contextmanager
def opened(path: Path) -> Iterator[tuple[Path, list[str]]]:
    """The folder at `path`, or a scratch folder with the zip at `path` unpacked; and remarks on what was left out."""
    if path.is_dir():
        yield path, []
    elif not path.exists():
        raise Refused(f"{path} does not exist.")
    elif not zipfile.is_zipfile(path):
        raise Refused(f"{path} is neither a folder nor a zip file.")
    else:
        with tempfile.TemporaryDirectory(prefix="hand-ins-") as scratch:
            try:
                with zipfile.ZipFile(path) as archive:
                    remarks = _unpack(archive, Path(scratch), path)
            except zipfile.BadZipFile as error:
                raise Refused(f"the zip {path} is damaged: {error}.") from None
            yield Path(scratch), remarks


def _unpack(archive: zipfile.ZipFile, target: Path, path: Path) -> list[str]:
    """Unpack what grading reads; of other files the name alone.

    An entry that leads outside or is a link is left out. Sizes are counted while reading:
    the ones an archive states need not be true.
    """
    entries = archive.infolist()
    if len(entries) > MOST_FILES:
        raise Refused(f"the zip {path} holds more than {MOST_FILES} files.")
    total, remarks = 0, []
    for entry in entries:
        # On macOS accents come apart, and some tools write backslashes.
        name = PurePosixPath(unicodedata.normalize("NFC", entry.filename.replace("\\", "/")))
        if name.is_absolute() or ".." in name.parts or ":" in str(name) or stat.S_ISLNK(entry.external_attr >> 16):
            remarks.append(f"{entry.filename}: leads out of the zip or is a link; left out.")
            continue
        place = target / name
        with contextlib.suppress(OSError):  # a file where a folder should be, a name too long for the disk
            if entry.is_dir():
                place.mkdir(parents=True, exist_ok=True)
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            if _ignored(name):
                continue
            content = b""
            if name.suffix == ".ipynb" or name.name == "timestamp.txt":
                try:
                    with archive.open(entry) as source:
                        content = source.read(LARGEST_FILE + 1)  # one byte more is seen as too large
                except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, OSError, ValueError):
                    remarks.append(f"{entry.filename}: damaged or encrypted in the zip, not read; download the zip again.")
                    continue
            total += len(content)
            if total > LARGEST_CLASS:
                raise Refused(f"the zip {path} unpacks to more than {LARGEST_CLASS >> 30} GB.")
            place.write_bytes(content)
    return remarks


def _ignored(path: PurePosixPath) -> bool:
    return any(part in IGNORED or part.startswith(".") for part in path.parts)


# -- Reading the layout ----------------------------------------------------------------------


def collect(folder: Path, exercises: list[str], roster: Roster) -> Intake:
    """Find the hand-ins in `folder`; refuse when there is none for any of `exercises`."""
    files, folders, remarks = _walk(folder)
    notebooks = [path for path in files if path.suffix == ".ipynb"]
    if not notebooks:
        raise Refused("it holds no notebook (.ipynb).")

    found: dict[tuple[str, str], list[tuple[int, PurePosixPath]]] = {}
    students: dict[str, None] = {}  # in the order met
    strays = []
    for path in notebooks:
        name, exercise, copy = _place(path, exercises)
        student = _id(name, roster)
        if not is_id(student):
            remarks.append(f"{path}: whose it is cannot be told from its name; not graded.")
        elif exercise is None:
            strays.append(path)
            students[student] = None
        else:
            students[student] = None
            if copy is not None:
                found.setdefault((student, exercise), []).append((copy, path))

    homes = {}  # folders STUDENT/EXERCISE, whatever is in them
    for path in folders:
        if len(path.parts) >= 2 and path.name in exercises and is_id(student := _id(path.parent.name, roster)):
            students[student] = None
            homes[student, path.name] = path
    for path in folders:  # a student's folder, beside others', with nothing in it
        if any(path in notebook.parents for notebook in notebooks):
            continue
        if any(path.parent == home.parent.parent and path != home.parent for home in homes.values()):
            if is_id(student := _id(path.name, roster)) and student not in students:
                students[student] = None
                remarks.append(f"{path}: the folder holds no exercise; nothing was handed in.")

    remarks += [_stray(path, exercises) for path in strays]
    hand_ins = [
        _hand_in(folder, student, exercise, found.get((student, exercise), []), homes.get((student, exercise)), files)
        for student, exercise in sorted(found.keys() | homes.keys())
    ]
    if not hand_ins:
        raise Refused(f"it holds no hand-in for {' or '.join(exercises)}, only notebooks such as {notebooks[0]}.")
    return Intake(hand_ins, sorted(students), remarks)


def _id(name: str, roster: Roster) -> str:
    return roster.resolve(unicodedata.normalize("NFC", name).strip())


def _walk(folder: Path) -> tuple[list[PurePosixPath], list[PurePosixPath], list[str]]:
    """The files and the folders below, by relative path, in order; and a remark on each link, none is followed."""
    files, folders, remarks = [], [], []
    for where, below, names in os.walk(folder):
        here = PurePosixPath(Path(where).relative_to(folder).as_posix())
        for entries, into in ((below, folders), (names, files)):
            seen = [name for name in entries if not _ignored(PurePosixPath(name))]
            links = [name for name in seen if (folder / here / name).is_symlink()]
            remarks += [f"{here / name}: a link, not followed." for name in links]
            entries[:] = [name for name in seen if name not in links]
            into += [here / name for name in entries]
    return sorted(files), sorted(folders), sorted(remarks)


def _place(path: PurePosixPath, exercises: list[str]) -> tuple[str, str | None, int | None]:
    """Whose notebook it is, for which exercise, and which copy of it (0 the first).

    No exercise: the place does not say. No copy: in the exercise's folder, but of another name.
    """
    suffix = COPY.search(path.stem)
    stem = path.stem[: suffix.start()] if suffix else path.stem
    copy = int(next(filter(None, suffix.groups()), 0)) if suffix else 0
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


def _stray(path: PurePosixPath, exercises: list[str]) -> str:
    return f"{path}: the exercises are {', '.join(exercises)}, this name says none of them; not graded."


def _hand_in(
    folder: Path,
    student: str,
    exercise: str,
    copies: list[tuple[int, PurePosixPath]],
    home: PurePosixPath | None,
    files: list[PurePosixPath],
) -> HandIn:
    """The latest of a student's copies, with a remark on what was left out or is missing."""
    hand_in = HandIn(student, exercise)
    copies = sorted(copies, key=lambda copy: (copy[0], _natural(copy[1])))
    beside = [path.name for path in files if path.parent == home and path not in [p for _, p in copies]]
    if copies:
        path = copies[-1][1]
        if len(copies) > 1:
            hand_in.remarks.append(f"{path}: of {len(copies)} copies this one counts.")
        elif path.name != f"{exercise}.ipynb" and path.parent == home:
            hand_in.remarks.append(f"{path}: taken for {exercise}.ipynb.")
        if (folder / path).stat().st_size > LARGEST_FILE:
            hand_in.remarks.append(f"{path}: larger than {LARGEST_FILE >> 20} MB, not read; zero points.")
        else:
            hand_in.notebook = folder / path
        if path.parent == home and "timestamp.txt" in beside:
            hand_in.timestamp = _timestamp(folder / home / "timestamp.txt", hand_in.remarks)
        if extra := [name for name in beside if name not in EXCHANGE]:
            hand_in.remarks.append(f"{home}: not needed and not used: {', '.join(extra)}.")
    elif beside:
        hand_in.remarks.append(f"{home}: no file called {exercise}.ipynb, only {', '.join(beside)}; zero points.")
    else:
        hand_in.remarks.append(f"{home}: the folder is empty; zero points.")
    return hand_in


def _natural(path: PurePosixPath) -> list:
    """A key that sorts "try 9" before "try 10"."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", str(path))]


def _timestamp(path: Path, remarks: list[str]) -> str | None:
    try:
        text = path.read_text(encoding="utf-8")[:100].strip()
        parse_utc(text)
        return text
    except (ValueError, OverflowError, TypeError, OSError):
        remarks.append(f"{path.parent.parent.name}/{path.parent.name}/timestamp.txt: no date can be read from it; not used.")
        return None

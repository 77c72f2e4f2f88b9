"""From what an instructor has, a folder or a zip, to hand-ins. Notebooks lie there in any of three layouts,

    STUDENT/EXERCISE/EXERCISE.ipynb     nbgrader's own layout
    STUDENT_…_EXERCISE.ipynb            a flat export: the id is what stands before the first underscore
    STUDENT_…/EXERCISE.ipynb            an export with a folder for each student

or in zips, one from each student, as `make handin` writes them:

    handin-STUDENT.zip                  and in it STUDENT/EXERCISE/EXERCISE.ipynb
    STUDENT_…_handin-ID.zip             the same in a flat export
    STUDENT_…/handin-ID.zip             or in an export with a folder for each student

Folders around these do not matter, nor does what systems add (`__MACOSX`, `.DS_Store`). Nothing in a
hand-in stops the class: what cannot be used is named in `remarks`.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from nbgrader.utils import parse_utc

from helpers.command import Refused
from helpers.exercises import LARGEST_FILE
from helpers.grading.archives import OTHER_ARCHIVES, Opened
from helpers.grading.roster import Roster
from helpers.grading.senders import NOBODY, Sender, enrolled_above, place, sender, shared
from helpers.ids import is_id

EXCHANGE = {"timestamp.txt", "submission_secret.txt"}  # what nbgrader's exchange puts beside a notebook


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


# -- Whose is what ---------------------------------------------------------------------------


def collect(opened: Opened, exercises: list[str], roster: Roster) -> Intake:
    """Find the hand-ins in what was opened.

    Raises:
        Refused: there is none for any of `exercises`.
    """
    notebooks = sorted(path for path in opened.files if path.suffix == ".ipynb")
    if not notebooks:
        raise Refused(f"it holds no notebook (.ipynb). {' '.join(opened.remarks)}".rstrip())
    zips = _senders(opened, notebooks, exercises, roster)
    search = _Search(exercises, roster, zips)
    search.look_at_zips()
    for path in sorted(opened.files):
        if path.suffix == ".ipynb" or path.suffix.casefold() in OTHER_ARCHIVES:
            search.look_at_file(path)
    for path in opened.folders:
        search.look_at_folder(path)
    filled = {folder for file in [*notebooks, *zips] for folder in file.parents}
    for path in opened.folders:
        if path not in filled:
            search.look_at_empty_folder(path)

    copies, homes = search.copies, search.homes
    hand_ins = [_hand_in(opened, *one, copies.get(one, []), homes.get(one), zips) for one in sorted(copies.keys() | homes.keys())]
    if not hand_ins:
        raise Refused(f"it holds no hand-in for {' or '.join(exercises)}, only notebooks such as {notebooks[0]}.")
    return Intake(hand_ins, sorted(search.students), opened.remarks + search.remarks + search.strays)


@dataclass
class _Search:
    """Whose and what each file and folder is, as they are looked at one after the other."""

    exercises: list[str]
    roster: Roster
    zips: dict[PurePosixPath, Sender]
    students: set[str] = field(default_factory=set)
    copies: dict[tuple[str, str], list[tuple[tuple[int, int], PurePosixPath]]] = field(default_factory=dict)
    """(student, exercise) → the notebooks handed in for it, each after its number among copies."""
    homes: dict[tuple[str, str], PurePosixPath] = field(default_factory=dict)
    """(student, exercise) → the folder STUDENT/EXERCISE, whatever is in it."""
    remarks: list[str] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)
    """Remarks on files of known students that are no hand-in."""

    def look_at_zips(self) -> None:
        for zipped, known in self.zips.items():
            if is_id(known.student):
                self.students.add(known.student)
            if known.student and known.inside not in ([], [known.student]):
                self.remarks.append(f"{zipped}: inside it names {', '.join(known.inside)}; what is in it is taken for {known.student}'s, "
                                    "after its name outside.")  # fmt: skip

    def look_at_file(self, path: PurePosixPath) -> None:
        """A notebook, or an archive that cannot be read."""
        zipped = _zip_of(path, self.zips)
        name, exercise, copy = place(NOBODY / path.relative_to(zipped) if zipped else path, self.exercises)
        student = self._student(zipped, name)
        if not zipped and (owner := enrolled_above(path, self.roster)) not in ("", student):
            self.remarks.append(f"{path}: names {student}, in a folder of {owner}'s; taken for {owner}'s.")
            student = owner
        if not is_id(student):
            self.remarks.append(f"{path}: whose it is cannot be told from its name; not graded.")
            return
        self.students.add(student)
        if path.suffix != ".ipynb":
            self.strays.append(f"{path}: an archive, but no zip; not read.")
        elif exercise is None:
            self.strays.append(f"{path}: the exercises are {', '.join(self.exercises)}, this name says none of them; not graded.")
        elif copy is not None:
            number = self.zips[zipped].copy if zipped else 0
            self.copies.setdefault((student, exercise), []).append(((number, copy), path))

    def look_at_folder(self, path: PurePosixPath) -> None:
        """Perhaps a home, STUDENT/EXERCISE."""
        zipped = _zip_of(path, self.zips)
        inner = NOBODY / path.relative_to(zipped) if zipped else path
        if len(inner.parts) >= 2 and path.name in self.exercises:
            student = self._student(zipped, inner.parent.name)
            if is_id(student):
                self.students.add(student)
                self.homes[student, path.name] = path

    def look_at_empty_folder(self, path: PurePosixPath) -> None:
        """Perhaps a student's, beside others'; comes after all else."""
        beside = any(path.parent == home.parent.parent and path != home.parent for home in self.homes.values())
        if beside and not _zip_of(path, self.zips):
            student = _id(path.name, self.roster)
            if is_id(student) and student not in self.students:
                self.students.add(student)
                self.remarks.append(f"{path}: the folder holds no exercise; nothing was handed in.")

    def _student(self, zipped: PurePosixPath | None, name: str) -> str:
        """Who handed in the zip that something is in, or else whom its own name means."""
        return zipped and self.zips[zipped].student or _id(name, self.roster)


def _id(name: str, roster: Roster) -> str:
    return roster.resolve(unicodedata.normalize("NFC", name).strip())


def _senders(opened: Opened, notebooks: list[PurePosixPath], exercises: list[str], roster: Roster) -> dict[PurePosixPath, Sender]:
    """Every student's zip, and who handed it in."""
    inside: dict[PurePosixPath, list[str]] = {zipped: [] for zipped in opened.zips}
    for path in notebooks:
        if zipped := _zip_of(path, inside):
            name, exercise, _ = place(NOBODY / path.relative_to(zipped), exercises)
            inside[zipped] += [name] if exercise else []
    loose = [path for path in notebooks if not _zip_of(path, inside)]
    of_all = shared(opened.zips, loose)
    return {zipped: sender(zipped, names, zipped.parent in of_all, roster) for zipped, names in inside.items()}


def _zip_of(path: PurePosixPath, zips: dict[PurePosixPath, object]) -> PurePosixPath | None:
    return next((folder for folder in (path, *path.parents) if folder in zips), None)


# -- What counts -----------------------------------------------------------------------------


def _hand_in(
    opened: Opened,
    student: str,
    exercise: str,
    copies: list[tuple[tuple[int, int], PurePosixPath]],
    home: PurePosixPath | None,
    zips: dict[PurePosixPath, Sender],
) -> HandIn:
    """The latest of a student's copies, with a remark on what was left out or is missing."""
    hand_in = HandIn(student, exercise)
    copies = sorted(copies, key=lambda copy: (copy[0], _natural(copy[1])))
    beside = sorted(path.name for path in opened.files if path.parent == home and path not in [p for _, p in copies])
    if copies:
        path = copies[-1][1]
        if len(copies) > 1:
            hand_in.remarks.append(f"{path}: of {len(copies)} copies this one counts.")
        elif path.name != f"{exercise}.ipynb" and path.parent == home:
            hand_in.remarks.append(f"{path}: taken for {exercise}.ipynb.")
        if opened.files[path].stat().st_size > LARGEST_FILE:
            hand_in.remarks.append(f"{path}: larger than {LARGEST_FILE >> 20} MB, not read; zero points.")
        else:
            hand_in.notebook = opened.files[path]
        # In a student's own zip, the student would have written it.
        exchange = EXCHANGE if home and not _zip_of(home, zips) else set()
        if path.parent == home and "timestamp.txt" in exchange.intersection(beside):
            hand_in.timestamp = _timestamp(opened.files[home / "timestamp.txt"], hand_in.remarks)
        if extra := [name for name in beside if name not in exchange]:
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

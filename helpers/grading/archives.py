"""From a folder or zip, with students' zips in it, to files that can be read safely.

Nothing is written outside a scratch folder, an entry that leads out of its zip or is a link is left
out, and sizes are counted while reading: the ones an archive states need not be true. A student's zip cannot
stop the class; what cannot be used of it is named.
"""

import contextlib
import os
import stat
import tempfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from helpers.command import Refused
from helpers.exercises import LARGEST_FILE, LARGEST_HAND_IN
from helpers.ids import IGNORED

LARGEST_CLASS = 4 * 2**30  # bytes, unpacked
MOST_FILES = 100_000
MOST_FILES_OF_ONE = 1_000  # in a student's zip
OTHER_ARCHIVES = (".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz")


@dataclass
class Opened:
    """The files and folders found, by path relative to where the instructor pointed, in order.

    A student's zip is a folder here: what was in `x/handin-ada.zip` is below `x/handin-ada.zip`.
    """

    files: dict[PurePosixPath, Path] = field(default_factory=dict)
    folders: list[PurePosixPath] = field(default_factory=list)
    zips: list[PurePosixPath] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Opened]:
    """What is in the folder or zip at `path`.

    Raises:
        Refused: it is neither, it is damaged, or there is too much in it.
    """
    if not path.exists():
        raise Refused(f"{path} does not exist.")
    if not path.is_dir() and not zipfile.is_zipfile(path):
        raise Refused(f"{path} is neither a folder nor a zip file.")
    with tempfile.TemporaryDirectory(prefix="hand-ins-") as scratch:
        found = Opened()
        left = Allowance(LARGEST_CLASS, MOST_FILES)
        folder = path
        if not path.is_dir():
            folder = Path(scratch) / "class"
            try:
                found.remarks += _unpack(path, folder, left, keep=(".ipynb", ".zip"))
            except TooMuch:
                raise Refused(f"The zip {path} unpacks to more than {MOST_FILES} files or {LARGEST_CLASS >> 30} GB.") from None
            except Damaged as damage:
                raise Refused(f"The zip {path} is damaged: {damage}.") from None
        _walk(folder, PurePosixPath(), found)
        for number, zipped in enumerate([name for name in found.files if name.suffix.casefold() == ".zip"]):
            _open_one(zipped, found, Path(scratch) / str(number), left)
        if left.bytes < 0:
            raise Refused(f"The zips in {path} unpack to more than {LARGEST_CLASS >> 30} GB.")
        yield found


def _open_one(name: PurePosixPath, found: Opened, target: Path, left: "Allowance") -> None:
    """Unpack a student's zip, and have its files among the others."""
    own = Allowance(min(LARGEST_HAND_IN * 2, left.bytes), MOST_FILES_OF_ONE)
    given, source = own.bytes, found.files.pop(name)
    found.zips.append(name)
    found.folders.append(name)
    try:
        if source.stat().st_size > LARGEST_HAND_IN:
            raise TooMuch
        remarks = _unpack(source, target, own, keep=(".ipynb",))
    except TooMuch:
        found.remarks.append(f"{name}: larger than any hand-in; not read.")
        return
    except Damaged as damage:
        found.remarks.append(f"{name}: {damage}; not read.")
        return
    finally:
        left.bytes -= given - own.bytes
    found.remarks += [f"{name}/{remark}" for remark in remarks]
    before = set(found.files)
    _walk(target, name, found)
    files = found.files.keys() - before
    found.remarks += [f"{path}: a zip within a student's zip; not read." for path in sorted(files) if path.suffix.casefold() == ".zip"]
    if not any(path.suffix == ".ipynb" for path in files):
        found.remarks.append(f"{name}: it holds no notebook (.ipynb).")


# -- Unpacking -------------------------------------------------------------------------------


class TooMuch(Exception):
    pass


class Damaged(Exception):
    pass


@dataclass
class Allowance:
    """What may still be unpacked."""

    bytes: int
    files: int

    def take(self, size: int) -> None:
        self.bytes -= size
        if self.bytes < 0:
            raise TooMuch


def _unpack(path: Path, target: Path, left: Allowance, keep: tuple[str, ...]) -> list[str]:
    """Unpack what grading reads; of other files the name alone. Remarks on what was left out."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            if len(entries) > left.files:
                raise TooMuch
            return [remark for entry in entries for remark in _unpack_entry(archive, entry, target, left, keep)]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise Damaged(f"damaged ({error})") from None


def _unpack_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, left: Allowance, keep: tuple[str, ...]) -> list[str]:
    # On macOS accents come apart, and some tools write backslashes.
    name = PurePosixPath(unicodedata.normalize("NFC", entry.filename.replace("\\", "/")))
    if name.is_absolute() or ".." in name.parts or ":" in str(name) or stat.S_ISLNK(entry.external_attr >> 16):
        return [f"{entry.filename}: leads out of the zip or is a link; left out."]
    place = target / name
    with contextlib.suppress(OSError):  # a file where a folder should be, a name too long for the disk
        if entry.is_dir():
            place.mkdir(parents=True, exist_ok=True)
            return []
        place.parent.mkdir(parents=True, exist_ok=True)
        if is_ignored(name):
            return []
        content = b""
        if name.suffix.casefold() in keep or name.name == "timestamp.txt":
            most = LARGEST_HAND_IN if name.suffix.casefold() == ".zip" else LARGEST_FILE
            try:
                with archive.open(entry) as source:
                    content = source.read(most + 1)  # one byte more is seen as too large
            except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, OSError, ValueError):
                return [f"{entry.filename}: damaged or encrypted in the zip, not read; download the zip again."]
        left.take(len(content))
        place.write_bytes(content)
    return []


def is_ignored(path: PurePosixPath) -> bool:
    return any(part in IGNORED or part.startswith(".") for part in path.parts)


# -- Looking around --------------------------------------------------------------------------


def _walk(folder: Path, below: PurePosixPath, found: Opened) -> None:
    """Note the files and folders of a folder; and remark on each link, none is followed."""
    for where, entries, names in os.walk(folder):
        entries.sort()
        here = below / Path(where).relative_to(folder).as_posix()
        for listed, is_folder in ((entries, True), (sorted(names), False)):
            seen = [name for name in listed if not is_ignored(PurePosixPath(name))]
            links = [name for name in seen if (Path(where) / name).is_symlink()]
            found.remarks += [f"{here / name}: a link, not followed." for name in links]
            kept = [name for name in seen if name not in links]
            if is_folder:
                entries[:] = kept
                found.folders += [here / name for name in kept]
            else:
                found.files |= {here / name: Path(where) / name for name in kept}

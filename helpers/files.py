"""Files that are written whole or not at all, and zips in which nothing but their contents counts. Standard library alone."""

import contextlib
import io
import os
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

DATE = (2026, 1, 1, 0, 0, 0)  # of every file in a zip, whatever the clock says


@contextlib.contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing bytes, its folder made where it is missing.

    It is written beside its place and put there when the block ends, so that whatever stops the
    writing leaves what was there before.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with unfinished.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except BaseException:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise


def zipped(contents: Mapping[str, bytes]) -> bytes:
    """A zip of these files, by path; the same files always give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in sorted(contents.items()):
            entry = zipfile.ZipInfo(name, DATE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o100644 << 16
            archive.writestr(entry, content)
    return buffer.getvalue()

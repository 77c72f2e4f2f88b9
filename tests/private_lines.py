"""What of a solution notebook a student must never be given, line by line."""

import re
from pathlib import Path

import nbformat

REGION = re.compile(r"^[^\n]*BEGIN (SOLUTION|HIDDEN TESTS)[^\n]*\n(.*?)^[^\n]*END \1", re.DOTALL | re.MULTILINE)


def private_lines(solution: Path, kinds: tuple[str, ...] = ("SOLUTION", "HIDDEN TESTS")) -> set[str]:
    """The lines between its markers, but for those that the visible part says as well."""
    private, public = set(), ""
    for cell in nbformat.read(solution, as_version=4).cells:
        public += REGION.sub("", cell.source) + "\n"
        for kind, text in REGION.findall(cell.source):
            private |= _lines(text) if kind in kinds else set()
    return {line for line in private if line not in public}


def leaks(text: str, private: set[str]) -> list[str]:
    """The private lines found in `text`, and the markers around them."""
    markers = [marker for marker in ("BEGIN SOLUTION", "BEGIN HIDDEN", "END SOLUTION", "END HIDDEN") if marker in text]
    return sorted(markers + [line for line in private if line in text])


def _lines(text: str) -> set[str]:
    """Long enough not to be met by chance (`return x`, `else:`)."""
    return {line.strip() for line in text.splitlines() if len(line.strip()) >= 16}

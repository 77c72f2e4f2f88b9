"""What of a solution notebook a student must never be given: lines, and values that hidden tests expect."""

import re
from pathlib import Path
from unittest.mock import patch

import nbformat

from helpers import observer

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


def numbers(text: str) -> set[str]:
    """The numbers in a text, as they are written there."""
    return set(re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?!\w|\.\d)", text))


def _lines(text: str) -> set[str]:
    """Long enough not to be met by chance (`return x`, `else:`)."""
    return {line.strip() for line in text.splitlines() if len(line.strip()) >= 16}


def private_values(solution: Path) -> set[str]:
    """The numbers of the hidden tests, as a sentence would write them, but for those the visible part says too.

    They are the numbers that stand there, and those in the tensors with which results are compared.
    Only what nobody writes by chance: numbers of at least three digits, zeros at the ends not counted.
    """
    cells = nbformat.read(solution, as_version=4).cells
    graded = [cell.source for cell in cells if cell.metadata.get("nbgrader", {}).get("grade")]
    public = "\n".join(REGION.sub("", cell.source) for cell in cells)
    hidden = [region for source in graded for _, region in REGION.findall(source)]
    assert hidden, f"{solution} has no hidden tests"
    values = {value for region in hidden for value in re.findall(r"(?<![\w.])\d[\d_]*\.?\d*(?:e-?\d+)?", region)}
    written = {form for value in values for form in _forms(float(value))}
    written |= {form for value in _compared(cells, hidden=True) - _compared(cells, hidden=False) for form in _forms(value)}
    known = {float(value) for value in numbers(public)}
    long = {form for form in written if len(re.sub(r"e.*|\D", "", form).strip("0")) >= 3}
    return {form for form in long if float(form) not in known}


def _forms(value: float) -> set[str]:
    return {f"{value:{style}}" for style in ("", "g", ".4g", ".4f")}


def _compared(cells: list, hidden: bool) -> set[float]:
    """What the solution's results are compared with, with or without the hidden tests."""
    expected, mismatch = set(), observer.mismatch

    def remembering(got, wanted, atol=0.0):
        expected.update(wanted.double().flatten().tolist())
        return mismatch(got, wanted, atol)

    names = {}
    with patch.object(observer, "mismatch", remembering):
        for cell in cells:
            if cell.metadata.get("nbgrader"):
                grade = cell.metadata.nbgrader.get("grade")
                exec(REGION.sub("", cell.source) if grade and not hidden else cell.source, names)
    return expected

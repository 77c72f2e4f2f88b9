"""Put the sample class's answers into the exercises as they are now: `make sample-class`.

A hand-in is the exercise a student got, with answers in its answer cells and a note on top. The
answers live in `tests/submissions/` and nowhere else; all around them comes from the exercise.
"""

from pathlib import Path

import nbformat

TESTS = Path(__file__).resolve().parents[1]
RELEASED = TESTS.parent / "notebooks" / "exercises"


def hand_ins() -> list[Path]:
    """The sample hand-ins that are notebooks; some are none, on purpose."""
    files = sorted((TESTS / "submissions").glob("*/*/*.ipynb"))
    return [path for path in files if path.read_text(encoding="utf-8").startswith("{")]


def renewed(path: Path) -> str:
    """The hand-in at `path` as its student would have made it from the present exercise."""
    old = nbformat.read(path, as_version=4)
    new = nbformat.read(RELEASED / path.parent.name / path.name, as_version=4)
    answers = {cell.metadata.nbgrader.grade_id: cell.source for cell in old.cells if _is_answer(cell)}
    for cell in filter(_is_answer, new.cells):
        cell.source = answers.get(cell.metadata.nbgrader.grade_id, cell.source)
    new.cells.insert(0, old.cells[0])
    return nbformat.writes(new) + "\n"


def _is_answer(cell: nbformat.NotebookNode) -> bool:
    return cell.metadata.get("nbgrader", {}).get("solution", False)


if __name__ == "__main__":
    for hand_in in hand_ins():
        hand_in.write_text(renewed(hand_in), encoding="utf-8")

"""Every notebook says what a fresh run says, and hides nothing.

That a fresh run prints the same is nbval's part, set up in pyproject.toml. Here are the faults it
does not see (`notebook_guards.py`), and the exercises, which cannot be re-run to the end because
their answers are missing.
"""

from pathlib import Path

import nbformat.v4
import pytest
from notebook_guards import (
    broken_links,
    file_problems,
    lesson_problems,
    problems,
    svg_problems,
)

ROOT = Path(__file__).parent.parent
LESSONS = sorted(ROOT.glob("notebooks/*.ipynb"))
SOLUTIONS = sorted(ROOT.glob("solutions/*/*.ipynb"))
EXERCISES = sorted(ROOT.glob("notebooks/exercises/*/*.ipynb"))
PAGES = sorted(ROOT.glob("*.md"))
SCHEMATICS = sorted(ROOT.glob("notebooks/figures/*.svg"))


def each(paths: list[Path]):
    return pytest.mark.parametrize("path", paths, ids=[str(p.relative_to(ROOT)) for p in paths])


def assert_none(path: Path, faults: list[str]) -> None:
    if faults:
        listed = "\n".join(f"- {fault}" for fault in faults)
        pytest.fail(f"{path.relative_to(ROOT)}, {len(faults)} to mend:\n{listed}", pytrace=False)


def read(path: Path) -> nbformat.NotebookNode:
    """The notebook as it is recorded: nbformat's usual reader repairs and converts."""
    return nbformat.v4.reads(path.read_text(encoding="utf-8"))


def test_nbval_compares_all_text_and_leaves_out_nothing_but_exercises_and_hand_ins(pytestconfig):
    options = pytestconfig.option
    got = {
        "compared in full": options.nbval and not options.nbval_lax,
        "rewritten before it is compared": options.nbval_sanitize_with,
        "left out": options.ignore,
        "left out by pattern": options.ignore_glob,
        "left out by name": options.deselect,
    }
    expected = {
        "compared in full": True,
        "rewritten before it is compared": None,
        "left out": ["notebooks/exercises", "tests/submissions"],
        "left out by pattern": None,
        "left out by name": None,
    }
    assert got == expected, f"pytest's options are {got}, not {expected}: see pyproject.toml"
    rooms = pytestconfig.getini("testpaths")
    missed = [
        str(path.relative_to(ROOT))
        for path in LESSONS + SOLUTIONS
        if path.relative_to(ROOT).parts[0] not in rooms
    ]
    assert not missed, f"{missed} are not under testpaths = {rooms}, so nothing re-runs them"


@each(LESSONS + SOLUTIONS)
def test_a_recorded_notebook_was_run_in_order_and_shows_only_what_any_run_shows(path):
    assert_none(path, file_problems(path) + problems(read(path)))


@each(LESSONS)
def test_a_lesson_begins_with_its_question_and_ends_with_what_was_seen(path):
    assert_none(path, lesson_problems(read(path)))


@each(LESSONS + SOLUTIONS + PAGES)
def test_every_link_and_picture_leads_somewhere(path):
    if path.suffix == ".md":
        text, folder = path.read_text(encoding="utf-8"), path.parent
    else:
        cells = [cell.source for cell in read(path).cells if cell.cell_type == "markdown"]
        # A solution's links are followed from the exercise that is made of it.
        released = ROOT / "notebooks" / "exercises" / path.parent.name
        text, folder = "\n\n".join(cells), released if path in SOLUTIONS else path.parent
    assert_none(path, broken_links(text, folder))


@each(SCHEMATICS)
def test_a_schematic_reads_on_any_theme_without_a_network(path):
    assert_none(path, svg_problems(path.read_text(encoding="utf-8")))


@each(SCHEMATICS)
def test_a_schematic_is_shown_somewhere(path):
    shown_in = LESSONS + SOLUTIONS + PAGES
    assert any(f"figures/{path.name}" in text.read_text(encoding="utf-8") for text in shown_in), (
        f"no notebook shows {path.relative_to(ROOT)}: show it or delete it"
    )


@each(EXERCISES)
def test_a_released_exercise_runs_up_to_its_first_unanswered_cell(path, start_kernel):
    kernel = start_kernel(path.parent)
    answers = 0
    for cell in read(path).cells:
        if cell.cell_type != "code":
            continue
        answers += cell.metadata.get("nbgrader", {}).get("solution", False)
        reply = kernel.run(cell.source, timeout=60)
        if reply["status"] == "error":
            error = f"{reply['ename']}: {reply['evalue']}"
            assert reply["ename"] == "NotImplementedError", (
                f"{path.name}, cell {cell.id} fails with {error}, before any answer is missing"
            )
            assert answers, f"{path.name}, cell {cell.id} has {error}, before any answer cell"
            return
    pytest.fail(f"{path.name} runs to its end: no answer is missing, so nothing is left to do")

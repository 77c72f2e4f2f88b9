"""What a reader sees: lessons, an exercise and the formgrader, in a real browser, from the real commands.

Every screen is saved under build/screens/ for people to look at: light and dark, wide and narrow.
"""

import csv
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from browser import NARROW, ROOT, SCREENS, WIDE, needs_chromium, screen
from lab import Reader, copy_of_the_course, make, reader
from playwright.sync_api import Locator, Page

pytestmark = needs_chromium

LESSONS = sorted(path.stem for path in ROOT.glob("notebooks/*.ipynb"))
HEIGHT = 900
LOOKS = [("light", WIDE), ("light", NARROW), ("dark", WIDE), ("dark", NARROW)]


def read(path: str) -> nbformat.NotebookNode:
    return nbformat.v4.reads((ROOT / path).read_text(encoding="utf-8"))


def screens(page: Page, name: str, *parts: Locator, looks: list[tuple[str, int]] = LOOKS) -> None:
    """Saves the page in each look, with each part brought to its top; without parts, as it stands."""
    for theme, width in looks:
        page.emulate_media(color_scheme=theme)
        page.set_viewport_size({"width": width, "height": HEIGHT})
        for number, part in enumerate(parts, start=1):
            part.evaluate("part => part.scrollIntoView()")
            screen(page, f"{name}-{number}-{theme}-{width}")
        if not parts:
            screen(page, f"{name}-{theme}-{width}")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": WIDE, "height": HEIGHT})


@pytest.fixture(scope="class")
def lab(tmp_path_factory) -> Iterator[Reader]:
    with reader("lab", copy_of_the_course(tmp_path_factory.mktemp("lab") / "course")) as lab:
        yield lab


# -- Lessons -----------------------------------------------------------------------------------


def prose(notebook: nbformat.NotebookNode) -> str:
    """All text cells, without code in them."""
    text = "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    return re.sub(r"(```+|`).*?\1", "", text, flags=re.DOTALL)


def formulas(notebook: nbformat.NotebookNode) -> int:
    return len(re.findall(r"\$\$.+?\$\$|\$[^$]+?\$", prose(notebook), re.DOTALL))


def schematics(notebook: nbformat.NotebookNode) -> list[str]:
    return re.findall(r"!\[(.+?)\]\(", prose(notebook), re.DOTALL)


def pictures(notebook: nbformat.NotebookNode) -> list[str]:
    """The texts recorded with the pictures that cells draw, in order."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return [output.metadata["image/png"]["alt"] for output in outputs if "image/png" in output.get("data", {})]


SEEN = """() => {
    const lesson = document.querySelector('.jp-Notebook');
    const texts = selector => [...lesson.querySelectorAll(selector)].map(node => node.textContent);
    const shown = selector => [...lesson.querySelectorAll(selector)].map(
        picture => picture.naturalWidth > 0 ? picture.alt : 'BROKEN ' + picture.alt);
    const raw = [];
    for (const text of lesson.querySelectorAll('.jp-MarkdownOutput')) {
        const words = text.cloneNode(true);
        words.querySelectorAll('code, mjx-container').forEach(node => node.remove());
        raw.push(...(words.textContent.match(/\\$.*|\\\\[(\\[a-z].*/g) ?? []));
    }
    return {
        prompts: texts('.jp-CodeCell .jp-InputPrompt'),
        errors: texts('[data-mime-type$="jupyter.error"], [data-mime-type$="jupyter.stderr"]'),
        pictures: shown('.jp-OutputArea img'),
        schematics: shown('.jp-MarkdownOutput img'),
        formulas: lesson.querySelectorAll('mjx-container').length,
        illFormed: texts('mjx-merror, [data-mjx-error]'),
        raw,
    };
}"""


class TestLessons:
    @pytest.mark.parametrize("name", LESSONS)
    def test_a_lesson_opens_and_runs_from_top_to_bottom_with_its_pictures_and_formulas(self, lab, name):
        lesson = read(f"notebooks/{name}.ipynb")
        with lab.reading(f"{name}.ipynb", len(lesson.cells)) as page:
            expected = {
                "prompts": [f"[{cell.execution_count}]:" for cell in lesson.cells if cell.cell_type == "code"],
                "errors": [],
                "pictures": pictures(lesson),
                "schematics": schematics(lesson),
                "formulas": formulas(lesson),
                "illFormed": [],
                "raw": [],
            }
            lab.wait(f"() => document.querySelectorAll('.jp-Notebook mjx-container').length >= {formulas(lesson)}")
            assert page.evaluate(SEEN) == expected, f"{name} as it opens is not as it was recorded"
            lab.run_all()
            seen = page.evaluate(SEEN)
            assert seen == expected, f"{name} after Run All Cells is not as it was recorded: {seen['errors']}"

            looks = LOOKS if name == LESSONS[0] else [LOOKS[0], LOOKS[-1]]
            notebook = page.locator(".jp-Notebook")
            screens(
                page, name, notebook.locator(".jp-Cell").first,
                notebook.locator('mjx-container[display="true"]').first,
                notebook.locator(".jp-MarkdownOutput img").first,
                notebook.locator(".jp-OutputArea img").last,
                notebook.locator("table").last, looks=looks,
            )


# -- An exercise -------------------------------------------------------------------------------


def answers(exercise: str) -> dict[str, list[str]]:
    """The lines between the marks in each answer cell of the solution."""
    cells = read(f"solutions/{exercise}/{exercise}.ipynb").cells
    marked = {cell.id: re.search(r"### BEGIN SOLUTION\n(.*?)\n *### END SOLUTION", cell.source, re.DOTALL) for cell in cells}
    return {cell: found[1].splitlines() for cell, found in marked.items() if found}


class TestExercise:
    def test_validate_says_what_is_wrong_with_a_typed_answer_and_then_that_all_is_right(self, lab):
        exercise = read("notebooks/exercises/permutation/permutation.ipynb")
        wrong = {"unshuffled": ["    return y[permutation]"]}
        order = [cell.id for cell in exercise.cells]
        with lab.reading("exercises/permutation/permutation.ipynb", len(order)) as page:
            cells = page.locator(".jp-Notebook .jp-Cell")
            for name, lines in (answers("permutation") | wrong).items():
                lab.answer(cells.nth(order.index(name)), "# YOUR CODE HERE", lines)
            screens(page, "exercise", cells.first, cells.nth(order.index("unshuffled")))

            said = self.validated(lab, "validate-wrong")
            assert "def " not in said and "Traceback" not in said, f"the sentence is lost in what Validate says:\n{said}"
            assert "AssertionError: " in said and "the rows are shuffled once more instead of back" in said, (
                f"Validate should give the test's own sentence and name the mistake; it says:\n{said}"
            )
            lab.answer(cells.nth(order.index("unshuffled")), "return y[permutation]", answers("permutation")["unshuffled"])
            said = self.validated(lab, "validate-right")
            assert "Success! Your notebook passes all the tests." in said, f"Validate on right answers says:\n{said}"

    @staticmethod
    def validated(lab: Reader, name: str) -> str:
        lab.page.keyboard.press("ControlOrMeta+s")
        # Validate saves too, and two savings at a time would be in each other's way.
        lab.page.locator(".lm-DockPanel .lm-TabBar-tab.jp-mod-dirty").wait_for(state="detached")
        lab.page.get_by_role("button", name="Validate").click()
        dialog = lab.page.locator(".jp-Dialog")
        dialog.wait_for()
        said = dialog.inner_text()
        screens(lab.page, name)
        dialog.locator(".jp-mod-accept").click()
        dialog.wait_for(state="detached")
        return said

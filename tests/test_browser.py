"""What a reader sees: lessons, an exercise and the formgrader, in a real browser, from the real commands.

Every screen is saved under build/screens/ for people to look at: light and dark, wide and narrow.
"""

import csv
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from browser import NARROW, ROOT, WIDE, needs_chromium, screen
from lab import Reader, copy_of_the_course, make, reader
from playwright.sync_api import Locator, Page

pytestmark = needs_chromium

LESSONS = sorted(path.stem for path in ROOT.glob("notebooks/*.ipynb"))
LOOKS = [("light", WIDE), ("light", NARROW), ("dark", WIDE), ("dark", NARROW)]


def read(path: str) -> nbformat.NotebookNode:
    return nbformat.v4.reads((ROOT / path).read_text(encoding="utf-8"))


# More than once, because cells out of sight get their true height only when they come near.
TO_THE_TOP = """async part => {
    for (let time = 0; time < 4; time++) {
        part.scrollIntoView();
        await new Promise(requestAnimationFrame);
    }
}"""


def screens(lab: Reader, name: str, *parts: Locator, looks: list[tuple[str, int]] = LOOKS) -> None:
    """Saves the page in each look, with each part brought to its top; without parts, as it stands."""
    for theme, width in looks:
        lab.look(theme, width)
        for number, part in enumerate(parts, start=1):
            part.evaluate(TO_THE_TOP)
            screen(lab.page, f"{name}-{number}-{theme}-{width}")
        if not parts:
            screen(lab.page, f"{name}-{theme}-{width}")


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


def readers_of(names: list[str]) -> type:
    """The tests of some lessons, as a class of their own, so that another worker can have the others."""

    class Readers:
        @pytest.mark.parametrize("name", names)
        def test_a_lesson_opens_and_runs_from_top_to_bottom_and_shows_all_that_is_recorded(self, lab, name):
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

                looks = LOOKS if name == LESSONS[0] else [LOOKS[LESSONS.index(name) % len(LOOKS)]]  # each look twice in all
                notebook = page.locator(".jp-Notebook")
                screens(
                    lab, name, notebook.locator(".jp-Cell").first,
                    notebook.locator('mjx-container[display="true"]').first,
                    notebook.locator(".jp-MarkdownOutput img").first,
                    notebook.locator(".jp-OutputArea img").last,
                    notebook.locator("table").last, looks=looks,
                )
                for number, cell in enumerate(lesson.cells):
                    if "live=False" in cell.source:
                        self.play(lab, f"{name}-{cell.id}", notebook.locator(".jp-Cell").nth(number), cell.source.splitlines()[-1])

        @staticmethod
        def play(lab: Reader, name: str, cell: Locator, call: str) -> None:
            """Asks for the live form of a picture by typing, and moves a slider by the keyboard."""
            lab.answer(cell, call, [call.replace("live=False", "live=True")])
            lab.page.keyboard.press("Shift+Enter")
            picture = cell.locator(".jp-OutputArea .jupyter-widgets img")
            before = picture.get_attribute("alt")
            assert before, f"{name}: the live picture has no text"
            screens(lab, name, cell, looks=[LOOKS[0]])
            slider = cell.get_by_role("slider").first
            at = slider.get_attribute("aria-valuenow")
            slider.press("ArrowRight")
            if slider.get_attribute("aria-valuenow") == at:
                slider.press("ArrowLeft")  # it stood at its end
            lab.wait(f"() => document.querySelector('.jp-Notebook .jupyter-widgets img')?.alt !== {json.dumps(before)}")
            screens(lab, f"{name}-moved", cell, looks=[LOOKS[0]])

    return Readers


TestOddLessons = readers_of(LESSONS[::2])


# -- An exercise -------------------------------------------------------------------------------


def answers(exercise: str) -> dict[str, list[str]]:
    """The lines between the marks in each answer cell of the solution."""
    cells = read(f"solutions/{exercise}/{exercise}.ipynb").cells
    marked = {cell.id: re.search(r"### BEGIN SOLUTION\n(.*?)\n *### END SOLUTION", cell.source, re.DOTALL) for cell in cells}
    return {cell: found[1].splitlines() for cell, found in marked.items() if found}


class TestEvenLessonsAndExercise(readers_of(LESSONS[1::2])):
    def test_validate_says_what_is_wrong_with_a_typed_answer_and_then_that_all_is_right(self, lab):
        exercise = read("notebooks/exercises/permutation/permutation.ipynb")
        wrong = {"unshuffled": ["    return y[permutation]"]}
        order = [cell.id for cell in exercise.cells]
        with lab.reading("exercises/permutation/permutation.ipynb", len(order)) as page:
            cells = page.locator(".jp-Notebook .jp-Cell")
            for name, lines in (answers("permutation") | wrong).items():
                lab.answer(cells.nth(order.index(name)), "# YOUR CODE HERE", lines)
            screens(lab, "exercise", cells.first, cells.nth(order.index("unshuffled")))

            lab.look("light", NARROW)
            said = self.validated(lab, "validate-wrong", ("light", NARROW), ("dark", NARROW), ("dark", WIDE), ("light", WIDE))
            assert "def " not in said and "Traceback" not in said, f"the sentence is lost in what Validate says:\n{said}"
            assert "AssertionError: " in said and "the rows are shuffled once more instead of back" in said, (
                f"Validate should give the test's own sentence and name the mistake; it says:\n{said}"
            )
            lab.answer(cells.nth(order.index("unshuffled")), "return y[permutation]", answers("permutation")["unshuffled"])
            said = self.validated(lab, "validate-right", ("light", WIDE), ("dark", WIDE))
            assert "Success! Your notebook passes all the tests." in said, f"Validate on right answers says:\n{said}"

    @staticmethod
    def validated(lab: Reader, name: str, *looks: tuple[str, int]) -> str:
        lab.page.keyboard.press("ControlOrMeta+s")
        # Validate saves too, and two savings at a time would be in each other's way.
        lab.page.locator(".lm-DockPanel .lm-TabBar-tab.jp-mod-dirty").wait_for(state="detached")
        lab.page.get_by_role("button", name="Validate").click()
        dialog = lab.page.locator(".jp-Dialog")
        dialog.wait_for()
        said = dialog.inner_text()
        screens(lab, name, looks=list(looks))
        dialog.locator(".jp-mod-accept").click()
        dialog.wait_for(state="detached")
        return said


# -- The formgrader ----------------------------------------------------------------------------

GRADED = ("babbage", "fermat", "turing")  # everything right; some of it; a file that is no notebook


@pytest.fixture(scope="class")
def class_room(tmp_path_factory) -> Path:
    """A copy of the course in which three of the sample class have been graded, by `make grade`."""
    course = copy_of_the_course(tmp_path_factory.mktemp("class") / "course")
    for student in GRADED:
        shutil.copytree(ROOT / "tests" / "submissions" / student, course / "sample" / student)
    graded = subprocess.run(**make(course, "grade", "SUBMISSIONS=sample"), capture_output=True, text=True)
    assert graded.returncode == 0, f"make grade fails with\n{graded.stdout}{graded.stderr}"
    return course


@pytest.fixture(scope="class")
def formgrader(class_room) -> Iterator[Reader]:
    with reader("formgrader", class_room) as formgrader:
        yield formgrader


def table(page: Page) -> list[dict[str, str]]:
    """The page's table, a dict for each row."""
    page.locator("table.dataTable tbody tr:not(:has(.dataTables_empty))").first.wait_for()
    names = [name.strip() for name in page.locator("table.dataTable thead th").all_inner_texts()]
    rows = page.locator("table.dataTable tbody tr")
    return [dict(zip(names, map(str.strip, row.locator("td").all_inner_texts()))) for row in rows.all()]


def out_of(score: float, most: float) -> str:
    return f"{score:g} / {most:g}"


class TestFormgrader:
    @pytest.fixture
    def grades(self, class_room) -> list[dict[str, str]]:
        with (class_room / "class" / "grades.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    @staticmethod
    def snap(page: Page, name: str) -> None:
        for width in (WIDE, NARROW):
            page.set_viewport_size({"width": width, "height": 900})
            screen(page, f"formgrader-{name}-{width}")

    def test_it_opens_on_the_exercises_with_the_number_of_their_hand_ins(self, formgrader):
        with formgrader.at("") as page:
            found = {row["Name"]: row["# Submissions"] for row in table(page)}
            handed_in = [path.parent.name for path in (ROOT / "tests" / "submissions").glob("*/*/*.ipynb") if path.parts[-3] in GRADED]
            expected = {name: str(handed_in.count(name)) for name in sorted(set(handed_in))}
            assert found == expected, f"the formgrader lists {found}, and handed in were {expected}"
            self.snap(page, "exercises")

    def test_it_lists_the_students_with_the_scores_of_grades_csv(self, formgrader, grades):
        with formgrader.at("formgrader/manage_students") as page:
            found = {row["Student ID"]: row["Overall Score"] for row in table(page)}
            expected = {
                student: out_of(*(sum(float(row[column]) for row in grades if row["student_id"] == student)
                                  for column in ("score", "max_score")))
                for student in GRADED
            }
            assert found == expected, f"the formgrader gives {found}, grades.csv {expected}"
            self.snap(page, "students")

    def test_it_lists_each_hand_in_with_its_score_of_grades_csv(self, formgrader, grades):
        with formgrader.at("formgrader/manage_submissions/scaling") as page:
            found = {row["Student ID"]: row["Score"] for row in table(page)}
            expected = {row["student_id"]: out_of(float(row["score"]), float(row["max_score"])) for row in grades if row["assignment"] == "scaling"}
            assert found == expected, f"the formgrader gives {found} for scaling, grades.csv {expected}"
            self.snap(page, "hand-ins")

    def test_a_hand_in_opens_with_its_answer_its_error_and_its_points_which_add_up(self, formgrader, grades):
        with formgrader.at("formgrader/gradebook/scaling/scaling") as page:
            (score,) = (row["score"] for row in grades if (row["assignment"], row["student_id"]) == ("scaling", "babbage"))
            row = page.locator("tr", has=page.get_by_text(out_of(float(score), 10.0), exact=True)).first
            row.get_by_role("link").click()
            page.locator(".panel-title", has_text="Submission").wait_for()
            formgrader.wait("() => [...document.querySelectorAll('input.score')].some(points => points.placeholder)")
            body = page.locator("body").inner_text()
            assert "(scores / d).softmax" in body, f"babbage's answer is not on the page:\n{body}"
            assert "AssertionError: For d = 16" in body, f"what the failed test said is not on the page:\n{body}"
            points = page.locator("input.score").evaluate_all("inputs => inputs.map(one => Number(one.value || one.placeholder))")
            assert len(points) == 4 and sum(points) == float(score), f"the parts show {points}, grades.csv {score}"
            self.snap(page, "hand-in")
            page.locator("input.score").nth(1).scroll_into_view_if_needed()
            self.snap(page, "points")
            # nbgrader asks a public server for MathJax; without a network its page says so on the console.
            formgrader.complaints[:] = [said for said in formgrader.complaints if "mathjax" not in said.lower()]

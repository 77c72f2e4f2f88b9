"""The reading copy (`make book`): its files, and its pages in a browser, each opened as a file on disk.

It is made once, without a network, from a copy of the course in a folder with a space in its name. To
that copy's first lesson a cell is added that was never run, with outputs that running it would not give.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import browser
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_output
from private_lines import leaks, private_lines

from helpers.grading.course import ROOT, Course

COURSE = Course()
# Page by page, in the order of README.md's table.
NOTEBOOKS = re.findall(r"\]\(notebooks/(\S+)\.ipynb\)", (ROOT / "README.md").read_text())
LESSONS = [name for name in NOTEBOOKS if not name.startswith("exercises/")]
MOST_MEGABYTES = 12

NEVER_RUN = new_code_cell(
    "raise ValueError('of this run')", id="never-run", execution_count=1000,
    outputs=[
        new_output("stream", name="stdout", text="recorded, not computed\n"),
        new_output("error", ename="ValueError", evalue="of another run", traceback=[
            "\x1b[31mValueError\x1b[39m      Traceback (most recent call last)", "\x1b[31mValueError\x1b[39m: of another run",
        ]),
    ],
)  # fmt: skip


def copy_of_the_course(folder: Path) -> Path:
    for name in ("book", "notebooks"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    shutil.copy(ROOT / "README.md", folder)
    return folder


def make_book(course: Path) -> subprocess.CompletedProcess:
    """Makes it as `make book` does; where the system can take the network away, without one."""
    offline = ["unshare", "--map-root-user", "--net"]
    if not shutil.which("unshare") or subprocess.run([*offline, "true"], capture_output=True).returncode:
        offline = []
    command = [*offline, sys.executable, "-m", "book"]
    return subprocess.run(command, cwd=course, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    folder = copy_of_the_course(tmp_path_factory.mktemp("book") / "a course")
    lesson = folder / "notebooks" / f"{LESSONS[0]}.ipynb"
    notebook = nbformat.read(lesson, as_version=4)
    notebook.cells.append(NEVER_RUN)
    nbformat.write(notebook, lesson)
    return folder


@pytest.fixture(scope="module")
def made(course) -> subprocess.CompletedProcess:
    return make_book(course)


@pytest.fixture(scope="module")
def site(course, made) -> Path:
    assert made.returncode == 0, f"`python -m book` failed:\n{made.stdout}{made.stderr}"
    return course / "build" / "book"


class Read(HTMLParser):
    """A page's elements, its text, and what of that is prose: no code, no formula."""

    VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}

    def __init__(self, html: str):
        super().__init__()
        self.elements: list[tuple[str, dict]] = []
        self.text = self.prose = ""
        self._open: list[tuple[str, dict]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attributes}))
        if tag not in self.VOID:
            self._open.append(self.elements[-1])

    def handle_startendtag(self, tag: str, attributes: list) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attributes}))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.text += data
        if not any(tag in ("pre", "code", "script", "style") or "math" in found.get("class", "").split() for tag, found in self._open):
            self.prose += data

    def all(self, tag: str) -> list[dict]:
        return [found for name, found in self.elements if name == tag]

    @property
    def ids(self) -> set[str]:
        return {found["id"] for _, found in self.elements if "id" in found}


@pytest.fixture(scope="module")
def pages(site) -> dict[str, Read]:
    return {path.relative_to(site).as_posix(): Read(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}


# -- How it is made -----------------------------------------------------------------------------


def test_it_is_made_without_a_warning_and_says_where_it_is_and_how_large(site, made):
    files = [path for path in site.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / 1e6
    place = os.path.join("build", "book", "index.html")
    assert (made.stdout, made.stderr) == (f"The book is {place}: {len(files)} files, {size:.1f} MB.\n", "")
    assert size < MOST_MEGABYTES, f"{size:.1f} MB: has all of MathJax been copied, or a notebook for each page?"


def test_what_is_wrong_is_named_and_the_book_there_is_stays(tmp_path):
    shutil.copytree(ROOT / "book", tmp_path / "book", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "README.md").write_text("# Small\n\n## The lessons\n\n[one](notebooks/one.ipynb)\n")
    faults = "# One\n\n[a](nowhere.ipynb) [b](two.ipynb#nothing) [c](#nobody)\n\n![gone](figures/gone.svg)\n\n#### Deep"
    for name, text in (("one", faults), ("two", "# Two, in no table")):
        (tmp_path / "notebooks").mkdir(exist_ok=True)
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text, id="title")])
        nbformat.write(notebook, tmp_path / "notebooks" / f"{name}.ipynb")
    (tmp_path / "build" / "book").mkdir(parents=True)
    (tmp_path / "build" / "book" / "index.html").write_text("the book there is")
    result = make_book(tmp_path)
    assert result.returncode == 1, "a book with broken links was made"
    assert result.stderr.splitlines()[-1] == "The book was not made; the lines above say why."
    unnamed = [fault for fault in ("nowhere.ipynb", "nothing", "nobody", "gone.svg", "H1 to H4", "two.ipynb") if fault not in result.stderr]
    assert not unnamed, f"{unnamed} are not named in:\n{result.stderr}"
    assert (tmp_path / "build" / "book" / "index.html").read_text() == "the book there is"


# -- What is in it ------------------------------------------------------------------------------


def test_it_has_a_start_page_every_lesson_and_every_exercise_and_leads_through_them_in_order(pages):
    exercises = [f"exercises/{name}/{name}" for name in COURSE.exercises]
    there = sorted(path.stem for path in ROOT.glob("notebooks/*.ipynb")) + exercises
    assert sorted(there) == sorted(NOTEBOOKS), "README.md's table does not list every lesson and every exercise once"
    assert pages.keys() == {"index.html", "search.html", *(f"{name}.html" for name in NOTEBOOKS)}
    at, way = "index.html", []
    while at and at not in way:
        way.append(at)
        following = [found["href"] for found in pages[at].all("link") if found.get("rel") == "next"]
        at = os.path.normpath(os.path.join(os.path.dirname(at), following[0])) if following else ""
    assert way == ["index.html", *(f"{name}.html" for name in NOTEBOOKS)], f"next, and next again, leads to {way}"


def test_the_start_page_tells_each_lessons_question_and_minutes(pages):
    rows = re.findall(r"^\| .*\]\(notebooks/.* \| (.*) \| (\d+) \|$", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert len(rows) == len(NOTEBOOKS)
    words = " ".join(pages["index.html"].text.split())
    missing = [question for question, minutes in rows if f"{question} {minutes}" not in words]
    assert not missing, f"not on the start page: {missing}"


def test_it_shows_what_was_recorded_and_runs_nothing(pages):
    text = pages[f"{LESSONS[0]}.html"].text
    assert "recorded, not computed" in text and "ValueError: of another run" in text
    assert "ValueError: of this run" not in text
    untidy = [name for name, page in pages.items() if "\x1b" in page.text]
    assert not untidy, f"control characters for colours are left in {untidy}"


def test_every_picture_is_there_once_with_its_alternative_text_and_no_second_text(pages):
    for name in NOTEBOOKS:
        cells = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4).cells
        outputs = [output for cell in cells for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
        recorded = [output.metadata["image/png"]["alt"] for output in outputs]
        shown = [found.get("alt", "") for found in pages[f"{name}.html"].all("img") if not found["src"].endswith(".svg")]
        assert shown == recorded, f"{name}: pictures are shown with other texts than recorded"
    for name, page in pages.items():
        assert all(found.get("alt", "").strip() for found in page.all("img")), f"{name} has a picture without a text"
        twice = [found["class"] for _, found in page.elements if "text_plain" in found.get("class", "")]
        assert not twice, f"{name} shows the plain text of a picture, which is its alternative text, besides the picture"


def test_nothing_of_the_markdown_is_left_unread(pages):
    for name, page in pages.items():
        left = re.findall(r".{0,30}(?:\*\*|\]\(|\$|```|</?details).{0,30}", page.prose)
        assert not left, f"{name} shows Markdown as it was written: {left}"


def test_no_page_loads_anything_from_elsewhere(site, pages):
    loaders = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data", "link": "href", "form": "action"}
    for name, page in pages.items():
        outside = [found[loaders[tag]] for tag, found in page.elements
                   if tag in loaders and re.match(r"(\w+:)?//", found.get(loaders[tag], ""))]
        assert not outside, f"{name} loads {outside}"
    for path in site.rglob("*.css"):
        outside = re.findall(r"(?:@import|url\()\s*['\"]?((?:https?:)?//[^)'\"]+)", path.read_text(encoding="utf-8"))
        assert not outside, f"{path.name} loads {outside}"


def test_every_link_leads_to_a_page_and_a_place_that_are_there(site, pages):
    seen, broken = 0, []
    for name, page in pages.items():
        for tag, found in page.elements:
            target = urlsplit(found.get("href" if tag in ("a", "link") else "src", ""))
            if target.scheme or not (target.path or target.fragment):
                continue
            seen += 1
            file = os.path.normpath(os.path.join(os.path.dirname(name), unquote(target.path))) if target.path else name
            inside = (site / file).is_file() and not file.startswith("..")
            if not inside or target.fragment and unquote(target.fragment) not in pages[file].ids:
                broken.append(f"{name}: {target.geturl()}")
    assert not broken, f"links that lead nowhere: {broken}"
    assert seen > 30 * len(NOTEBOOKS), f"only {seen} links were found to look up"


def test_no_answer_and_no_hidden_test_is_in_it(site, pages):
    hidden = set()
    for exercise in COURSE.exercises:
        private = private_lines(COURSE.solution(exercise))
        found = leaks(pages[f"exercises/{exercise}/{exercise}.html"].text, private)
        assert not found, f"the page of {exercise} shows {found}"
        hidden |= private_lines(COURSE.solution(exercise), ("HIDDEN TESTS",))
    hidden = {line for line in hidden if len(line) >= 40}  # a lesson may well have a shorter one
    assert hidden
    for path in sorted(site.rglob("*")):
        if path.suffix in (".html", ".js", ".txt", ".ipynb", ".inv"):
            text = path.read_text(encoding="utf-8", errors="replace")
            found = leaks(Read(text).text if path.suffix == ".html" else text, hidden)
            assert not found, f"{path.relative_to(site)} holds {found}"
    sources = [path for path in site.rglob("*") if {".ipynb", ".md", ".py"} & set(path.suffixes)]
    assert not sources, f"it is for reading, and holds {sources}"


def test_a_line_of_a_hidden_test_would_be_found_through_its_colours(site, pages):
    """Shown on lines of tests that students do see, whose every word stands in a tag of its own."""
    name = "exercises/masks/masks"
    cells = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4).cells
    lines = {line.strip() for cell in cells if cell.metadata.get("nbgrader", {}).get("grade") for line in cell.source.splitlines()}
    lines = {line for line in lines if len(line) >= 40}
    as_written = leaks((site / f"{name}.html").read_text(encoding="utf-8"), lines)
    assert len(as_written) < len(lines) / 2, "most lines are found without taking the colours off: this shows nothing"
    assert leaks(pages[f"{name}.html"].text, lines) == sorted(lines)


# -- What a reader sees -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chromium() -> Iterator:
    with browser.launched() as launched:
        yield launched


# What is wider than the screen and cannot be scrolled inside something of its own.
BEYOND_THE_EDGE = """() => [...document.querySelectorAll('body *')].filter(element => {
    const box = element.getBoundingClientRect();
    if (!box.width || !element.closest('article') || element.closest('mjx-assistive-mml') || box.right <= innerWidth + 1) return false;
    for (let around = element; around.tagName !== 'ARTICLE'; around = around.parentElement)
        if (['auto', 'scroll'].includes(getComputedStyle(around).overflowX)) return false;
    return true;
}).map(element => `${element.tagName}: ${element.textContent.trim().slice(0, 60)}`)"""

# Lightness of the page and of its text, from 0 to 1.
LIGHTNESS = """() => ['backgroundColor', 'color'].map(name => {
    const [red, green, blue] = getComputedStyle(document.body)[name].match(/\\d+/g);
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
})"""


def opened(chromium, site: Path, name: str, **how) -> tuple[browser.Page, list[str], list[str]]:
    """The page once its formulas are drawn, its complaints, and whatever it asked for that is not a file of the book."""
    page, complaints = browser.new_page(chromium, **how)
    outside: list[str] = []
    page.on("request", lambda asked: None if asked.url.startswith(site.as_uri()) else outside.append(asked.url))
    page.on("requestfailed", lambda asked: complaints.append(f"{asked.url}: {asked.failure}"))
    page.goto(f"{site.as_uri()}/{name}.html")
    if page.locator(".math").count():
        page.wait_for_function("() => window.MathJax?.startup?.promise")
        page.evaluate("() => MathJax.startup.promise")
    return page, complaints, outside


@browser.needs_chromium
@pytest.mark.parametrize("name", ["index", *NOTEBOOKS])
def test_a_page_is_whole_and_legible_light_and_dark_wide_and_narrow(chromium, site, pages, name):
    page, complaints, outside = opened(chromium, site, name)
    screen = f"book-{name.rpartition('/')[2]}"
    browser.screen(page, f"{screen}-wide-light")

    formulas = sum("math" in found.get("class", "").split() for _, found in pages[f"{name}.html"].elements)
    assert page.locator("mjx-container").count() == formulas, "formulas that were not drawn"
    assert formulas or name not in LESSONS, f"{name} has no formula"
    wrong = page.locator("mjx-merror, [data-mjx-error]").all_inner_texts()
    assert not wrong, f"formulas MathJax cannot read: {wrong}"

    undrawn = page.evaluate("""() => Promise.all([...document.images].map(async image => {
        image.loading = 'eager';
        await image.decode().catch(() => null);
        return image.naturalWidth ? null : image.src;
    })).then(all => all.filter(Boolean))""")
    assert not undrawn, f"pictures that cannot be drawn: {undrawn}"

    folded = page.locator("article details")
    assert not page.locator("article details[open]").count(), "an answer is open before the reader asked for it"
    page.evaluate("() => document.querySelectorAll('article summary').forEach(summary => summary.click())")
    empty = [text for text in folded.all_inner_texts() if len(text.splitlines()) < 2]
    assert not empty, f"nothing comes when these are opened: {empty}"
    assert folded.count() or name == "index", f"{name} has nothing folded"

    for width in (browser.WIDE, 1000, 390):
        page.set_viewport_size({"width": width, "height": 844})
        beyond = page.evaluate(BEYOND_THE_EDGE)
        assert not beyond, f"at {width} pixels these are cut off at the right: {beyond[:5]}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"at {width} pixels the page scrolls sideways"

    ground, text = page.evaluate(LIGHTNESS)
    assert ground > 0.9 and text < 0.2, f"light theme: the page is {ground:.2f} light, its text {text:.2f}"
    page.emulate_media(color_scheme="dark")
    ground, text = page.evaluate(LIGHTNESS)
    assert ground < 0.15 and text > 0.7, f"dark theme: the page is {ground:.2f} light, its text {text:.2f}"
    if folded.count():
        folded.last.scroll_into_view_if_needed()
    browser.screen(page, f"{screen}-narrow-dark")

    assert not complaints, f"the browser complains: {complaints}"
    assert not outside, f"asked for something that is not in the book: {outside}"
    page.close()


@browser.needs_chromium
def test_an_answer_opens_on_a_click_and_closes_on_another(chromium, site):
    page, complaints, _ = opened(chromium, site, LESSONS[0])
    answer = page.locator("article details").first
    inside = answer.locator("p").last
    for seen in (True, False):
        answer.locator("summary").click()
        assert inside.is_visible() is seen, f"{'opened' if seen else 'closed'}, the answer is {'not ' if seen else ''}to be seen"
    assert not complaints
    page.close()


@browser.needs_chromium
def test_a_word_typed_into_the_search_leads_to_pages_that_hold_it(chromium, site):
    page, complaints, outside = opened(chromium, site, "index")
    page.get_by_role("textbox", name="Search").fill("crosstalk")
    page.keyboard.press("Enter")
    results = page.locator("ul.search > li > a")
    results.first.wait_for()
    page.locator("#search-results .search-summary").filter(has_text="found").wait_for()
    browser.screen(page, "book-search-wide-light")
    assert [result.get_attribute("href").partition(".html")[0] for result in results.all()][:1] == [LESSONS[0]]
    results.first.click()
    page.locator("article h1").wait_for()
    assert "crosstalk" in page.locator("article").inner_text()
    assert not complaints, f"the browser complains: {complaints}"
    assert not outside, f"asked for something that is not in the book: {outside}"
    page.close()


@browser.needs_chromium
def test_the_reader_chooses_the_theme_and_on_a_phone_opens_the_list_of_lessons(chromium, site):
    page, complaints, _ = opened(chromium, site, LESSONS[1], width=390, height=844)
    lesson = page.get_by_role("link", name="08 · Complexity", exact=True)
    page.locator(".mobile-header .nav-overlay-icon").click()
    page.wait_for_function("() => document.querySelector('.sidebar-drawer').getBoundingClientRect().left >= 0")
    browser.screen(page, "book-lessons-narrow-light")
    lesson.first.click()
    page.get_by_role("heading", name="08 · Complexity").wait_for()
    for _ in range(3):  # automatic, light, dark, in an order that depends on the system
        if page.locator("body").get_attribute("data-theme") == "dark":
            break
        page.locator(".mobile-header button.theme-toggle").click()
    ground, text = page.evaluate(LIGHTNESS)
    assert ground < 0.15 and text > 0.7, f"dark was chosen: the page is {ground:.2f} light, its text {text:.2f}"
    assert not complaints, f"the browser complains: {complaints}"
    page.close()

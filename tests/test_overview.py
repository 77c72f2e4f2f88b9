"""The class at a glance, of made-up classes: what it counts, and what the page is like. No kernel runs here."""

import html
import random
import re
import shutil
import xml.etree.ElementTree as ElementTree

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from small_course import blank, empty  # noqa: F401

from helpers import plots, reasons
from helpers.grading import overview, page
from helpers.grading.course import ROOT, Course
from helpers.grading.results import Record

UNDIVIDED, SWAPPED = "the scores are not divided by √d", "the two columns are swapped"


@pytest.fixture
def course(empty) -> Course:
    return empty


def mark(name: str, points: float) -> dict:
    return {"nbgrader": {"schema_version": 3, "grade_id": name, "points": points,
                         "grade": True, "solution": False, "locked": True, "task": False}}  # fmt: skip


def add_exercise(course: Course, name: str, parts: dict[str, float], title: str = "", headings: dict[str, str] | None = None) -> None:
    """An exercise with these graded cells and points; what `headings` does not name stands without one."""
    cells = [new_markdown_cell(f"# {title or name}\n\nA question.", id="title")]
    for number, (cell, points) in enumerate(parts.items()):
        if headings and cell in headings:
            cells.append(new_markdown_cell(f"Some words.\n\n**Test: {headings[cell]}** (points)", id=f"about-{number}"))
        cells.append(new_code_cell("assert True", id=f"test-{number}", metadata=mark(cell, points)))
    course.solution(name).parent.mkdir(parents=True)
    nbformat.write(new_notebook(cells=cells), course.solution(name))
    with course.gradebook() as gradebook:
        gradebook.add_assignment(name)
        gradebook.add_notebook(name, name)
        for cell, points in parts.items():
            gradebook.add_grade_cell(cell, name, name, max_score=points, cell_type="code")


def hand_in(course: Course, student: str, exercise: str, points: dict[str, float], lost: dict[str, list[str]] | None = None) -> None:
    """A hand-in as it stands after grading: these points by its tests, and these reasons in its record."""
    course.folder("submitted", student, exercise).mkdir(parents=True)
    Record(lost=lost or {}).save(course, student, exercise)
    with course.gradebook() as gradebook:
        gradebook.update_or_create_student(student)
        for grade in gradebook.add_submission(exercise, student).notebooks[0].grades:
            grade.auto_score = points.get(grade.name, 0.0)
        gradebook.db.commit()


def mark_by_hand(course: Course, student: str, exercise: str, cell: str, points: float) -> None:
    with course.gradebook() as gradebook:
        gradebook.find_grade(cell, exercise, exercise, student).manual_score = points
        gradebook.db.commit()


@pytest.fixture
def peaks(course) -> Course:
    """Four hand-ins of two parts: all right, half of it, a mistake twice, and one that could not be read."""
    add_exercise(course, "peaks", {"raw": 3, "scaled": 2}, "Exercise 1 · Peaks", {"raw": "raw peaks"})
    hand_in(course, "ada", "peaks", {"raw": 3, "scaled": 2})
    hand_in(course, "bob", "peaks", {"raw": 3, "scaled": 1.5}, {"scaled": [overview.NOT_ANSWERED]})
    hand_in(course, "cyd", "peaks", {}, {"raw": [UNDIVIDED], "scaled": [UNDIVIDED]})
    hand_in(course, "dot", "peaks", {}, {overview.WHOLE: [overview.NOT_GRADED]})
    return course


def only(course: Course) -> overview.ExerciseTally:
    (exercise,) = overview.look(course)
    return exercise


def text(of: str) -> str:
    """What a page says, without its marks and with single spaces."""
    return " ".join(html.unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", of, flags=re.DOTALL)).split())


def drawing(of: str) -> ElementTree.Element:
    return ElementTree.fromstring(re.search(r"<svg.*?</svg>", of, re.DOTALL)[0])


# -- What is counted -------------------------------------------------------------------------


def test_passed_points_and_reasons_are_those_of_all_hand_ins(peaks):
    raw, scaled = only(peaks).parts
    assert only(peaks).handed_in == 4
    assert (raw.passed, raw.earned, dict(raw.mistakes), dict(raw.others)) == (2, 6, {UNDIVIDED: 1}, {overview.NOT_GRADED: 1})
    assert (scaled.passed, scaled.earned, dict(scaled.mistakes)) == (1, 3.5, {UNDIVIDED: 1})
    assert dict(scaled.others) == {overview.NOT_ANSWERED: 1, overview.NOT_GRADED: 1}


def test_a_student_who_makes_a_mistake_in_two_parts_made_it_once(peaks):
    assert only(peaks).made_by == {UNDIVIDED: {"cyd"}}
    assert f"1 student : {UNDIVIDED} (raw peaks · scaled)" in text(page.page([only(peaks)]))


def test_who_handed_in_nothing_is_not_counted(peaks):
    with peaks.gradebook() as gradebook:
        gradebook.add_student("eve")
        gradebook.add_submission("peaks", "eve")  # as nbgrader does for who is enrolled
        gradebook.db.commit()
    assert only(peaks).handed_in == 4, "a student of whom the class has no folder is counted"


def test_marks_given_by_hand_count(peaks):
    mark_by_hand(peaks, "cyd", "peaks", "raw", 3)
    mark_by_hand(peaks, "ada", "peaks", "raw", 1)
    raw = only(peaks).parts[0]
    assert (raw.passed, raw.earned) == (2, 7), f"{raw.passed} passed with {raw.earned} points: bob and now cyd, and 1 point of ada's"
    assert not raw.mistakes, "a part with all its points was not lost to a mistake"
    assert raw.others == {overview.NOT_GRADED: 1, overview.BY_HAND: 1}


def test_mistakes_that_fit_alike_are_one_entry(course):
    add_exercise(course, "peaks", {"raw": 1})
    hand_in(course, "ada", "peaks", {}, {"raw": [UNDIVIDED, SWAPPED]})
    assert only(course).parts[0].mistakes == {f"{UNDIVIDED}; or {SWAPPED}": 1}


def test_every_lost_part_has_exactly_one_reason(course):
    """Whatever the records hold: also one from an earlier version, which says nothing."""
    draw = random.Random(0)
    cells = [f"cell-{number}" for number in range(4)]
    add_exercise(course, "peaks", dict.fromkeys(cells, 2))
    why = [[UNDIVIDED], [UNDIVIDED, SWAPPED], [overview.STOPPED], [overview.UNKNOWN], [overview.NOT_ANSWERED]]
    for number in range(25):
        points = {cell: draw.choice([0, 1, 2, 2.5]) for cell in cells}
        hand_in(course, f"s{number}", "peaks", points, {cell: draw.choice(why) for cell in cells if draw.random() < 0.7})
    for part in only(course).parts:
        reasons_given = part.mistakes.total() + part.others.total()
        assert part.passed + reasons_given == 25, f"{part.passed} passed, {reasons_given} reasons, of 25: {part}"
    assert {UNDIVIDED, f"{UNDIVIDED}; or {SWAPPED}"} == only(course).made_by.keys()
    assert any(part.others[overview.UNKNOWN] for part in only(course).parts)


def test_a_part_is_named_by_the_heading_just_before_its_test_and_else_by_its_cell(course):
    add_exercise(course, "peaks", {"raw": 1, "scaled": 1, "bonus": 0}, "Exercise 1 · Peaks", {"raw": "`raw` peaks, and more"})
    assert only(course).title == "Exercise 1 · Peaks"
    assert [part.name for part in only(course).parts] == ["raw peaks, and more", "scaled"], "a part without points has no share"


@pytest.mark.parametrize("exercise", Course().exercises)
def test_every_part_of_our_exercises_has_a_heading(exercise):
    outline = overview._outline(Course(), exercise)
    unnamed = [part.cell for part in outline.parts if part.name == part.cell]
    assert outline.title.startswith("Exercise ") and not unnamed, f"{outline.title}: no **Test: …** before {unnamed}"


def test_the_part_that_fewest_passed_is_the_one_lost_most(peaks, course):
    assert [part.cell for part in only(peaks).lost_most] == ["scaled"]
    mark_by_hand(peaks, "bob", "peaks", "scaled", 2)
    assert only(peaks).lost_most == [], "each part was passed by two"


# -- Why a hand-in lost a part ---------------------------------------------------------------


def error(sentence: str, kind: str = "AssertionError") -> list:
    return [new_output("error", ename=kind, evalue=sentence, traceback=[])]


def causes(course: Course, outputs: dict[str, list], note: str = "") -> dict[str, list[str]]:
    cells = [new_code_cell("", id=name, metadata=mark(name, 1), outputs=found) for name, found in outputs.items()]
    cells += [new_markdown_cell(note, id="note")] if note else []
    course.folder("autograded", "ada", "peaks").mkdir(parents=True)
    nbformat.write(new_notebook(cells=cells), course.folder("autograded", "ada", "peaks") / "peaks.ipynb")
    return overview.causes(course, "ada", "peaks")


def test_a_failed_cell_is_explained_by_its_message(course, monkeypatch):
    known = {"peaks": [UNDIVIDED, SWAPPED]}
    monkeypatch.setattr(reasons, "named", lambda exercise, message: [words for words in known[exercise] if words in message])
    found = causes(course, {
        "passed": [new_output("stream", name="stdout", text=f"I know: {UNDIVIDED}")],
        "named": error(f"Too large. This is what comes out when {UNDIVIDED}."),
        "either": error(f"Wrong. This fits more than one known mistake: {UNDIVIDED}; or {SWAPPED}."),
        "unanswered": error("The function average_peaks is not answered yet: it raised NotImplementedError."),
        "endless": error("A cell timed out", kind="CellTimeoutError"),
        "ended": error("This cell ended the kernel.", kind="KernelDied"),
        "missing": error("There is no function average_peaks in this notebook."),
        "strange": error("Too small."),
    })  # fmt: skip
    assert found == {
        "named": [UNDIVIDED], "either": [UNDIVIDED, SWAPPED], "unanswered": [overview.NOT_ANSWERED],
        "endless": [overview.STOPPED], "ended": [overview.STOPPED], "missing": [overview.MISSING],
        "strange": [overview.UNKNOWN],
    }  # fmt: skip


def test_a_hand_in_that_was_not_graded_has_one_reason_for_all_of_it(course):
    assert causes(course, {}, note="The file is not a notebook: zero points.") == {overview.WHOLE: [overview.NOT_GRADED]}


# -- The page --------------------------------------------------------------------------------


def test_the_page_says_what_was_counted(peaks):
    said = text(page.write(peaks).read_text(encoding="utf-8")).replace("\N{NO-BREAK SPACE}", " ")
    for sentence in (
        "Who handed in nothing is not counted.", "Exercise 1 · Peaks 4 hand-ins.",
        f"raw peaks 2 of 4 (50 %) 1.5 of 3 (50 %) 1 × {UNDIVIDED} 1 × empty, or could not be read or graded –",
        f"scaled lost most 1 of 4 (25 %) 0.88 of 2 (44 %) 1 × {UNDIVIDED} 1 × empty, or could not be read or graded 1",
    ):  # fmt: skip
        assert sentence in said, f"the page does not say {sentence!r}:\n{said}"
    assert "× not answered" not in said, "which has a column of its own"


def test_the_page_names_the_commonest_mistakes_first_and_counts_the_rest(course):
    add_exercise(course, "peaks", {"raw": 1})
    for number, times in enumerate([1, 3, 2, 1, 1, 1, 1]):
        for student in range(times):
            hand_in(course, f"s{9 - number}-{student}", "peaks", {}, {"raw": [f"mistake {number}"]})
    said = page.page(overview.look(course))
    listed = re.findall(r"<b>(\d) students?</b>: (mistake \d)", said)
    assert listed == [("3", "mistake 1"), ("2", "mistake 2"), ("1", "mistake 0"), ("1", "mistake 3"), ("1", "mistake 4")]
    assert "And 2 others." in said
    assert re.findall(r"<li>(\d × [^<]+)", said) == ["3 × mistake 1", "2 × mistake 2", "1 × mistake 0", "4 × another known mistake"]


def test_the_picture_has_a_bar_for_each_part_as_long_as_its_share_and_tells_it_in_words(peaks):
    svg = drawing(page.write(peaks).read_text(encoding="utf-8"))
    bars = {bar.get("class"): float(bar.get("width")) for bar in svg.iter("rect")}
    assert bars == {"track": 240, "bar": 120, "most": 60}, f"of 240, raw peaks have 50 % and scaled, lost most, 25 %: {bars}"
    assert svg.get("role") == "img"
    assert svg.get("aria-label").replace("\N{NO-BREAK SPACE}", " ") == (
        "Share of the hand-ins that passed each part. Exercise 1 · Peaks: raw peaks 50 %, scaled 25 % (lost most)."
    )


def test_the_page_needs_nothing_beside_it_and_is_well_formed(peaks):
    said = page.write(peaks).read_text(encoding="utf-8")
    for outside in ("<script", "<link", "<img", "<iframe", "src=", "href=", "url(", "@import", "http"):
        assert outside not in said, f"the page holds {outside}"
    for colour in ("query", "output", "score", "key"):
        assert plots.COLOURS[colour] in said

    closed = re.sub(r"<!DOCTYPE html>|<meta [^>]+>", "", said)  # which HTML never closes
    ElementTree.fromstring(closed)


def test_the_page_names_no_student(peaks):
    said = page.write(peaks).read_text(encoding="utf-8")
    for student in ("ada", "bob", "cyd", "dot"):
        assert not re.search(rf"\b{student}\b", said), f"the page names {student}"


def test_what_looks_like_html_is_shown_as_it_is(course):
    strange = 'a<b & "c" </svg><script>'
    add_exercise(course, "peaks", {"raw": 1}, strange, {"raw": strange})
    hand_in(course, "ada", "peaks", {}, {"raw": [strange]})
    said = page.page(overview.look(course))
    assert strange not in said and "<script" not in said
    assert drawing(said).get("aria-label").count(strange) == 2
    assert text(said).count(strange) == 7, "title and part of the picture; title; mistake and its part; part and mistake of the table"


def test_what_stands_between_backticks_in_a_mistake_is_code(course):
    add_exercise(course, "peaks", {"raw": 1})
    hand_in(course, "ada", "peaks", {}, {"raw": ["d is halved: in `d ** 1 / 2` & more"]})
    said = page.page(overview.look(course))
    assert said.count("d is halved: in <code>d ** 1 / 2</code> &amp; more") == 2, "in the list, and in the table"


def test_a_long_word_is_broken_and_a_long_title_wrapped(course):
    add_exercise(course, "peaks", {"x" * 120: 1}, "A long title of many words " * 4)
    hand_in(course, "ada", "peaks", {})
    lines = [line.text for line in drawing(page.page(overview.look(course))).iter("text")]
    assert max(map(len, lines)) <= 48, f"too long for the picture: {max(lines, key=len)}"
    assert "".join(line for line in lines if set(line) == {"x"}) == "x" * 120


def test_a_class_without_hand_ins_has_a_page_that_says_so(course):
    add_exercise(course, "peaks", {"raw": 1})
    said = page.write(course).read_text(encoding="utf-8")
    assert "Nobody has handed in anything yet." in said and "No hand-ins." in said
    assert "<svg" not in said and "<table" not in said


def test_an_exercise_that_nobody_handed_in_has_no_bars_and_no_table(peaks):
    add_exercise(peaks, "masks", {"rows": 1}, "Exercise 2 · Masks")
    said = page.write(peaks).read_text(encoding="utf-8")
    assert "Exercise 2 · Masks No hand-ins." in text(said)
    assert "Masks" not in drawing(said).get("aria-label") and said.count("<table>") == 1


def test_exercises_come_in_the_order_of_their_titles(peaks):
    add_exercise(peaks, "apples", {"rows": 1}, "Exercise 2 · Apples")
    assert [exercise.name for exercise in overview.look(peaks)] == ["peaks", "apples"]


def test_the_same_class_gives_the_same_bytes_whoever_was_graded_first(tmp_path, blank):
    pages = []
    for order in (1, -1):
        course = Course(root=tmp_path / str(order), room=tmp_path / str(order) / "class")
        course.room.mkdir(parents=True)
        shutil.copy(ROOT / "nbgrader_config.py", course.root)
        shutil.copy(blank, course.room)
        add_exercise(course, "peaks", {"raw": 1, "scaled": 1})
        for student, mistake in [("ada", UNDIVIDED), ("bob", SWAPPED), ("cyd", "zeros")][::order]:
            hand_in(course, student, "peaks", {"scaled": 0.1}, {"raw": [mistake]})
        pages.append(page.write(course).read_bytes())
        assert page.write(course).read_bytes() == pages[-1]
    assert pages[0] == pages[1]


@pytest.mark.parametrize(("passed", "shown"), [(0, "0 %"), (1, "0 %"), (400, "50 %"), (799, "99 %"), (800, "100 %")])
def test_only_everybody_is_100_percent(passed, shown):
    part = overview.PartTally("raw", "raw peaks", 3, passed=passed)
    assert page.percent(part, overview.ExerciseTally("peaks", "Peaks", [part], handed_in=800)).replace("\N{NO-BREAK SPACE}", " ") == shown

"""What a feedback page says, and what it does not show."""

import html
import re

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from small_course import RIGHT, blank, empty, environment, error, graded_cell, hand_in, own, page, printed, run, test_cell, toy, value, write_exercise  # noqa: F401

from helpers.exercises import execution, part_names, scoring
from helpers.exercises.scoring import verdict
from helpers.grading.feedback import HideHiddenTests, Summary
from helpers.phrases import in_html


def summary(*cells) -> str:
    """The table that a page begins with, as HTML from its Markdown."""
    from nbconvert.filters import markdown2html

    notebook = new_notebook(cells=list(cells))
    Summary().preprocess(notebook, {})
    assert notebook.cells[0].id == "summary", "the page does not begin with the table"
    return markdown2html(notebook.cells[0].source)


def table(*cells) -> list[list[str]]:
    rows = re.findall(r"<tr.*?</tr>", summary(*cells), re.DOTALL)[1:]
    return [[html.unescape(re.sub(r"<[^>]+>", "", entry.replace("<br>", "\n"))) for entry in re.findall(r"<td>(.*?)</td>", row)]
            for row in rows]


def test_the_table_has_part_points_and_what_was_found():
    heading = new_markdown_cell("Some words.\n\n**Test: the `raw` peaks** (3 points)")
    assert table(heading, graded_cell(points=3)) == [["the raw peaks", "3 of 3", "passed"]]
    for outputs, score, expected in [
        ([error("AssertionError", "It came out as 3.\nWhy?")], 0, "It came out as 3.\nWhy?"),
        ([error("ValueError", "bad")], 0, "ValueError: bad"),
        ([error("AssertionError", "")], 0, "AssertionError"),
        ([error(execution.ENDED, "This cell ended the kernel.")], 0, "This cell ended the kernel."),
        ([error("KeyboardInterrupt", ""), error(execution.STUCK, "Too long.")], 0, "Too long."),
        ([error(scoring.NO_POINTS, "No number."), value("'x'")], 0, "No number."),
        ([printed("noise\nPartial credit: two of three.\n"), value("2")], 2, "Partial credit: two of three."),
        ([printed("Partial credit: no.\nnoise\n"), value("2")], 2, "Part of the points."),
        ([printed("Partial credit: all.\n"), value("5")], 5, "passed"),
        ([error("AssertionError", "No.")], 4, "No.\nThe points were changed by hand."),
    ]:
        assert table(graded_cell(*outputs, score=score)) == [["value", f"{score} of 5", expected]]


@pytest.mark.parametrize("sentence", [
    "a < b & c > d, *so* _it_ | is `not` $x_1$ \\(y\\)", "<script>alert(1)</script>", "[[6, -6], [1, 2]](x) ![a](b) {{ x }} {% y %}",
    "$$a$$", "\\begin{a}b\\end{a}", "$$\na\n$$", "</td></table>", "~~~\ncode", "<!-- a", "\"quoted\" 'quoted'", "# head", "- item", "one\n\n\ntwo", "x" * 500, "&amp; &#60;", "\x1b[31mred\x1b[0m", "attachment:x files/y",
])  # fmt: skip
def test_a_message_reads_as_it_was_written(sentence):
    [[_, _, text]] = table(graded_cell(error("AssertionError", sentence), score=0))
    expected = re.sub(r"\x1b\[\d+m|`", "", sentence).strip()
    assert text == expected, f"{text!r} instead of {expected!r}"
    assert "<script" not in summary(graded_cell(error("AssertionError", sentence), score=0))


def test_what_stands_between_backticks_is_code_and_nothing_else_is():
    assert in_html("in `d ** 1 / 2` & `a < b`: ` is one") == "in <code>d ** 1 / 2</code> &amp; <code>a &lt; b</code>: ` is one"
    assert in_html("`<b>`, `<script>`") == "<code>&lt;b&gt;</code>, <code>&lt;script&gt;</code>"
    assert "<code>d ** 1 / 2</code>" in summary(graded_cell(error("AssertionError", "in `d ** 1 / 2` it is"), score=0))


def test_a_part_is_called_after_the_text_just_before_it():
    cells = [new_markdown_cell("**Test: one**"), test_cell("a", "1"), test_cell("b", "1"), new_markdown_cell("**Test: three**"),
             new_code_cell("2"), test_cell("c", "1"), new_markdown_cell("**Test: four**"), new_markdown_cell("(1 point)"), test_cell("d", "1")]
    assert part_names(cells) == {"a": "one", "b": "b", "c": "c", "d": "four"}


def test_a_part_that_was_never_run_is_marked_by_hand():
    text = new_markdown_cell("My answer.", metadata=graded_cell(score=2).metadata)
    assert verdict(text) == "Marked by hand."


def test_partial_credit_keeps_its_message_and_nothing_else_that_a_hidden_test_printed():
    def shown(*outputs):
        made = graded_cell(*outputs)
        made.source = "value()\n### BEGIN HIDDEN TESTS\nassert value(17) == 4, 'seventeen'\n### END HIDDEN TESTS"
        made.execution_count = 1
        notebook = new_notebook(cells=[made])
        HideHiddenTests().preprocess(notebook, {})
        return [output.get("text") or output.get("data", {}).get("text/plain") or output.get("evalue") for output in made.outputs]

    assert shown(printed("17\nPartial credit: two of three.\n"), value("2")) == ["Partial credit: two of three.\n", "2"]
    assert shown(printed("Partial credit: two.\n17\n"), value("2")) == ["2"], "what a student's function printed last is shown"
    assert shown(printed("17\n"), value("2")) == ["2"]
    assert shown(printed("Partial credit: 17\n")) == [], "a test that gives all points has no message"
    assert shown(printed("17\n"), error("AssertionError", "Not four.")) == ["Not four."]


def test_no_part_of_a_page_quotes_a_hidden_test(toy, tmp_path):
    test = (
        "def test_more():\n    assert double(3) == 6\n    ### BEGIN HIDDEN TESTS\n"
        "    assert double(12.25) == 24.5, 'Not for every number.'\n    ### END HIDDEN TESTS\n\n\ntest_more()"
    )
    write_exercise(toy, test_cell("more", test))

    def nosy(notebook):
        notebook.cells += [new_code_cell(source, id=f"nosy-{number}") for number, source in enumerate((
            "test_more()", "import inspect; print(inspect.getsource(test_more))", "inspect.getsource(test_more)", "test_more??",
            "In[-6:]", "raise ValueError(inspect.getsource(test_more))",
            "raise type(inspect.getsource(test_more), (Exception,), {})('by its name')",
            "from IPython.display import Code, HTML; Code(inspect.getsource(test_more), language='python')",
            "print('kept')",
        ))]  # fmt: skip

    hand_in(toy, "ada", "def double(x):\n    return 2 * x if x != 12.25 else helper(x)\n\n\ndef helper(x):\n    print('saw', x)\n    return 0", nosy)
    run(toy, tmp_path / "in")
    text = page(toy, "ada")
    letters = re.sub(r"\\n|[\W_]", "", text)
    assert "double1225245" not in letters and "double(12.25" not in text, f"the hidden line is on the page: {text}"
    assert "saw 12.25" not in text, "what a function printed when a hidden test called it is on the page"
    assert text.count("Not for every number.") == 3, "in the table, the test, and the student's own call of it"
    assert "kept" in text and "by its name" in text


def test_what_a_function_says_when_a_hidden_line_calls_it_is_not_shown(toy, tmp_path):
    test = (
        "def test_more():\n    from helpers.observer import observe\n    def check(x):\n        assert observe(double, x).returned() == 2 * x, 'No.'\n"
        "    check(3)\n    ### BEGIN HIDDEN TESTS\n    check(12.25)\n    ### END HIDDEN TESTS\n\n\ntest_more()"
    )
    write_exercise(toy, test_cell("more", test))
    for student, error, number in [
        ("hidden", "ValueError", 12.25),
        ("own", "type(f'Saw{int(100 * x)}', (Exception,), {})", 12.25),
        ("stops", "type(f'Saw{int(100 * x)}', (BaseException,), {})", 12.25),
        ("visible", "ValueError", 3),
    ]:
        hand_in(toy, student, f"def double(x):\n    if x == {number}:\n        raise {error}(f'saw {{x}} (in\\nthere); expected it')\n    return 2 * x")
    run(toy, tmp_path / "in")
    rows = {student: re.search(r"more0 of 5(.*?)\n", page(toy, student))[1] for student in ("hidden", "own", "stops", "visible")}
    call = " Call it with the same kind of input in a cell of your own to see where."
    assert rows["hidden"] == f"The function double raised ValueError; expected it to return.{call}"
    assert rows["own"] == f"The function double raised an exception of its own; expected it to return.{call}"
    assert rows["stops"] == "Exception: A hidden test was stopped by an exception of its own."
    assert re.match(r"The function double raised ValueError \(line 3, `?raise ValueError\(.*`?: saw 3 \(in", rows["visible"]), rows["visible"]
    for student in ("hidden", "own", "stops"):
        assert not re.search("saw 12|Saw12", page(toy, student)), f"what {student} was called with is on the page"


def test_a_part_keeps_its_name_where_the_hand_in_has_lost_or_moved_its_test(toy, tmp_path):
    write_exercise(toy, new_markdown_cell("**Test: lists** (5 points)", id="heading"), test_cell("lists", "assert double([1]) == [1, 1]"))
    for name in ("heading", "lists"):
        hand_in(toy, f"no-{name}", RIGHT, lambda notebook: setattr(notebook, "cells", [cell for cell in notebook.cells if cell.id != name]))
    run(toy, tmp_path / "in")
    for student in ("no-heading", "no-lists"):
        assert re.search(r"^lists5 of 5passed$", page(toy, student), re.MULTILINE), f"{student}: {page(toy, student)[:600]}"


def test_a_page_is_written_whatever_language_a_cell_says_it_is_in(toy, tmp_path):
    def odd_cells(notebook):
        for number, odd in enumerate(["perl", "no such language", 3, ["list"], {"a": "dictionary"}]):
            notebook.cells.append(new_code_cell(f"'cell {number}'", metadata={"magics_language": odd}))

    hand_in(toy, "ada", RIGHT, odd_cells)
    assert "No remarks." in run(toy, tmp_path / "in")
    for number in range(5):
        assert f"'cell {number}'" in page(toy, "ada")


def test_a_page_begins_with_its_table_and_shows_no_frame_of_a_test_or_of_helpers(toy, tmp_path):
    source = "from helpers.observer import observe\n\nobserve(double, [1]).returned()\nassert double([1]) == [1, 1]"
    write_exercise(toy, new_markdown_cell("**Test: lists & more**", id="heading"), test_cell("lists", source))
    hand_in(toy, "ada", "def double(x):\n    return inner(x)\n\n\ndef inner(x):\n    return x * 2 if isinstance(x, list) else x / 0",
            own("from helpers.masks import causal_mask\ncausal_mask(-1)"))  # fmt: skip
    hand_in(toy, "bob", "def double(x):\n    raise KeyError('my $word$')")
    run(toy, tmp_path / "in")
    assert re.search(r"what was found\s+numbers0 of 4ZeroDivisionError.*\s+words0 of 6TypeError.*\s+lists & more5 of 5passed\s",
                     page(toy, "ada")), page(toy, "ada")[:800]  # fmt: skip
    assert "return x * 2 if isinstance" in page(toy, "ada"), "the student's own frame is gone"
    for student in ("ada", "bob"):
        for shown in ("observer.py", "masks.py", "----> 1 assert double"):
            assert shown not in page(toy, student), f"{student}'s page shows {shown}"
    said = r"The function double raised KeyError \(line 2, `?raise KeyError\('my \$word\$'\)`?: 'my \$word\$'\); expected it to return\."
    assert re.search(said, page(toy, "bob"))

"""The guards are guarded: each is shown a notebook that breaks its rule, and one that breaks none.

First the rules themselves, on notebooks made in memory; then everything at once, as `pytest` runs
it: a small course with one sabotage a notebook, under this course's own configuration.
"""

import base64
import os
import shutil
import subprocess
import sys
import zlib
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import pytest
from nbformat import v4
from notebook_guards import (
    KERNELSPEC,
    LANGUAGE_INFO,
    MAX_BYTES,
    broken_links,
    file_problems,
    lesson_problems,
    problems,
    svg_problems,
)

ROOT = Path(__file__).parent.parent
ALT = "A white dot."


def png(*extra: tuple[bytes, bytes], grey: int = 255) -> bytes:
    """The smallest picture: one dot, white if nothing else is said."""
    header = (1).to_bytes(4) * 2 + b"\x08\x00\x00\x00\x00"
    chunks = [(b"IHDR", header), *extra, (b"IDAT", zlib.compress(bytes([0, grey]))), (b"IEND", b"")]
    body = b"".join(
        len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)
        for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + body


def picture(data: bytes = png(), alt: str = ALT) -> nbformat.NotebookNode:
    return v4.new_output(
        "display_data",
        data={"image/png": base64.b64encode(data).decode(), "text/plain": alt},
        metadata={"image/png": {"alt": alt}},
    )


DRAWING = f"""from IPython.display import display
display({dict(picture().data)!r}, metadata={dict(picture().metadata)!r}, raw=True)"""


def printed(text: str, name: str = "stdout") -> nbformat.NotebookNode:
    return v4.new_output("stream", name=name, text=text)


def result(text: str, count: int) -> nbformat.NotebookNode:
    return v4.new_output("execute_result", data={"text/plain": text}, execution_count=count)


def raised(*traceback: str) -> nbformat.NotebookNode:
    return v4.new_output("error", ename="ValueError", evalue="too wide", traceback=[*traceback])


def notebook(*cells: nbformat.NotebookNode) -> nbformat.NotebookNode:
    metadata = {"kernelspec": dict(KERNELSPEC), "language_info": dict(LANGUAGE_INFO)}
    made = v4.new_notebook(cells=list(cells), metadata=metadata)
    made.nbformat_minor = 5
    return made


def lesson() -> nbformat.NotebookNode:
    """A lesson without fault: text, a printed number, a result, a picture, a meant error."""
    return notebook(
        v4.new_markdown_cell("# Sums\nWhat do numbers come to? 5 minutes. ![A dot](figures/dot.svg)", id="title"),
        v4.new_code_cell("a = 1\nprint(a)", execution_count=1, outputs=[printed("1\n")], id="print"),
        v4.new_code_cell("a + 1", execution_count=2, outputs=[result("2", 2)], id="sum"),
        v4.new_code_cell(DRAWING, execution_count=3, outputs=[picture()], id="draw"),
        v4.new_code_cell(
            "raise ValueError('too wide')",
            execution_count=4,
            outputs=[raised("ValueError: too wide")],
            metadata={"tags": ["raises-exception"]},
            id="error",
        ),
        v4.new_markdown_cell("## What you have seen\n| claim | what the output showed |\n|---|---|\n| a | b |", id="recap"),
        v4.new_markdown_cell("## References\nVaswani et al. 2017", id="references"),
    )


# --- One rule, one broken notebook -------------------------------------------------------------

PRINT, SUM, DRAW, ERROR = 1, 2, 3, 4


def swap(made):
    made.cells[PRINT], made.cells[SUM] = made.cells[SUM], made.cells[PRINT]


def clear(made):
    made.cells[SUM].update(outputs=[], execution_count=None)


def source(text):
    return lambda made: made.cells[PRINT].update(source=text)


def tag(at, *tags):
    return lambda made: made.cells[at].metadata.update(tags=[*tags])


def outputs(at, *outs):
    return lambda made: made.cells[at].update(outputs=[*outs])


BREAKS = {
    "a cell that was not run": (clear, "carries the count None: run all cells"),
    "cells out of order": (swap, "carries the count 2: run all cells"),
    "an older format": (lambda made: made.update(nbformat_minor=4), "save it as 4.5"),
    "an invalid form": (lambda made: made.cells[SUM].update(outputs=1), "its form is invalid"),
    "another kernel": (
        lambda made: made.metadata.kernelspec.update(name="mine"), "its metadata 'kernelspec'"
    ),
    "a recorded Python version": (
        lambda made: made.metadata.language_info.update(version="3.11.7"), "'language_info'"
    ),
    "metadata of an editor": (lambda made: made.metadata.update(toc={}), "its metadata 'toc'"),
    "the same id twice": (lambda made: made.cells[SUM].update(id="print"), "is there twice"),
    "a random id": (lambda made: made.cells[SUM].update(id="a1b2c3d4"), "no readable id"),
    "a recorded time": (
        lambda made: made.cells[SUM].metadata.update(execution={}), "carries metadata 'execution'"
    ),
    "an attachment": (
        lambda made: made.cells[0].update(attachments={"a.png": {"image/png": ""}}), "a file inside"
    ),
    "a tag that ignores output": (tag(SUM, "nbval-ignore-output"), "asks for an exemption"),
    "a tag that skips a cell": (tag(SUM, "nbval-skip"), "asks for an exemption"),
    "a comment that ignores output": (source("#NBVAL_IGNORE_OUTPUT\n1"), "asks for an exemption"),
    "a comment that skips a cell": (source("1\n  # NBVAL_SKIP"), "asks for an exemption"),
    "an error that did not come": (outputs(ERROR, printed("1")), "and raised nothing"),
    "an error that is not meant": (tag(ERROR), "ended in an error"),
    "a formula whose backslash was eaten": (
        source("print(r'$d_{\text{model}}$')"), r"holds a control character, '\text",
    ),
    "an empty cell": (source(" \n"), "is empty"),
    "a cell magic": (source("%%capture\nprint(1)"), "is not plain Python"),
    "an unknown magic": (source("%draw"), "is not plain Python"),
    "a shell command": (source("!ls"), "is not plain Python"),
    "a magic in disguise": (source("get_ipython().run_line_magic('x', '')"), "calls get_ipython"),
    "swallowed output": (
        source("from contextlib import redirect_stdout as quiet"), "calls redirect_stdout"
    ),
    "silenced warnings": (
        source("import warnings\nwarnings.simplefilter('ignore')"), "silences warnings"
    ),
    "warnings caught": (
        source("import warnings\nwith warnings.catch_warnings(record=True): print(1)"), "silences warnings"
    ),
    "output turned away": (source("import sys\nsys.stderr = None"), "turns output away"),
    "warnings turned off for all": (
        source("import os\nos.environ['PYTHONWARNINGS'] = 'ignore'"), "turns output away"
    ),
    "a tag that hides": (tag(SUM, "remove-output"), "asks for an exemption (remove-output)"),
    "a script as output": (
        lambda made: made.cells[SUM].outputs[0].data.update({"application/javascript": "1"}),
        "not seen everywhere",
    ),
    "a picture from elsewhere": (
        lambda made: made.cells[SUM].outputs[0].data.update({"text/html": "<img src='https://a.b/c'>"}),
        "needs a network",
    ),
    "silenced warnings of a kind": (
        source("from warnings import *\nfilterwarnings(action='ignore')"), "silences warnings"
    ),
    "words on stderr": (outputs(PRINT, printed("oh", "stderr")), "wrote to stderr ('oh')"),
    "a result of another run": (outputs(SUM, result("2", 7)), "a result of another run"),
    "a figure's name": (outputs(DRAW, result("<Figure size 640x480 with 1 Axes>", 3)), "no picture"),
    "a picture without alt text": (outputs(DRAW, picture(alt="")), "without alt text"),
    "a picture cut short": (outputs(DRAW, picture(png()[:-5])), "is cut short"),
    "a picture that is text": (outputs(DRAW, picture(b"<svg/>")), "is no PNG"),
    "a picture with a signature": (outputs(DRAW, picture(png((b"tEXt", b"me")))), "tells who drew"),
    "a path in a traceback": (
        outputs(ERROR, raised("File \x1b[32m~/course/a.py:3\x1b[0m, in f")), "shows a path ('~/c')"
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_notebook_is_refused_for(name):
    change, said = BREAKS[name]
    made = lesson()
    change(made)
    found = problems(made)
    assert any(said in fault for fault in found), f"nothing says {said!r}, only {found}"


def test_a_picture_only_in_another_format_is_refused():
    made = lesson()
    made.cells[DRAW].outputs[0].data = {"image/svg+xml": "<svg/>", "text/plain": ALT}
    assert any("record it as PNG" in fault for fault in problems(made)), problems(made)


def test_a_notebook_without_fault_passes_every_guard():
    made = lesson()
    got = problems(made) + lesson_problems(made)
    assert not got, f"a clean lesson is refused: {got}"


def test_a_fault_names_its_cell():
    made = lesson()
    made.cells[SUM].source = "%%capture"
    assert [fault[:12] for fault in problems(made)] == ["cell 3 (sum)"]


UNSTABLE_TEXTS = {
    "a path": [
        "saved /home/ann/x.pt", "in /tmp", "C:\\Users\\ann", "lib/site-packages/torch", "'/opt/a/b'",
    ],
    "a memory address": ["<object at 0x7f3a5c0d1e80>"],
    "a time": [
        "12:30:05", "at 9:05 am", "took 0.3 s", "12ms", "5 minutes", "ran for 2 min", "3 seconds", "14.2 it/s",
        "300 steps/s", "00:03<00:10",
    ],
    "a date": ["2024-05-01", "2026-11-30T06:42", "12/31/2024", "Mon 5 May", "May 5, 2024"],
    "a version": ["torch 2.6.0+cpu", "v1.2.3"],
    "a warning": ["UserWarning: no", "FutureWarning", "warning: deprecated", "WARNING: hi"],
    "a progress bar": ["10%\r20%", "40%|████"],
    "an unrounded number": ["0.30000000000000004", "1.1920928955078125e-07", "6.123e-17"],
}

STABLE_TEXTS = [
    "weights (0.25, 0.75), scores (0, 1.0986)", "(N, h, T, d_k) = (2, 3, 5, 7)", "T/S = 3/4",
    "x[0:16], 10:20, ratio 1:10", "and/or, N/T/S, h·d_k / d_model", "3 sentences, 64 samples",
    "max 0.9 min 0.1", "ValueError: d_model must be positive, got -3", "4 heads; S = 4 s = 5",
    "[0.12345678 0.5]", "1.19e-07", "in 2017, section 3.2.1a", "</td></tr></table>", "100 %",
    "tensor([[True, False]])", "https://arxiv.org/abs/1706", "dtype=torch.float16", "0x1f",
]  # fmt: skip


@pytest.mark.parametrize(
    ("what", "text"), [(what, text) for what, texts in UNSTABLE_TEXTS.items() for text in texts]
)
def test_an_output_is_refused_for_holding(what, text):
    for shown in (printed(text), result(text, 2)):
        made = lesson()
        made.cells[SUM].outputs = [shown]
        found = problems(made)
        assert any(f"shows {what} (" in fault for fault in found), f"{text!r} passes as {found}"


@pytest.mark.parametrize("text", STABLE_TEXTS)
def test_an_output_may_hold(text):
    made = lesson()
    made.cells[SUM].outputs = [printed(text)]
    assert not problems(made), f"{text!r} is refused: {problems(made)}"


def test_a_notebook_too_heavy_for_git_is_refused(tmp_path):
    light, heavy = tmp_path / "light.ipynb", tmp_path / "heavy.ipynb"
    light.write_bytes(b" " * MAX_BYTES)
    heavy.write_bytes(b" " * (MAX_BYTES + 1))
    assert not file_problems(light)
    assert "draw fewer" in file_problems(heavy)[0]


@pytest.mark.parametrize(
    ("at", "text", "said"),
    [
        (0, "Sums. What? 5 minutes", "no title"),
        (0, "# Sums\n5 minutes", "asks nothing"),
        (0, "# Sums\nWhat?", "how long it takes"),
        (5, "## Recap\nno table", "no recap"),
        (5, "| symbol | meaning |\n|---|---|", "no recap"),
        (6, "Vaswani et al. 2017", "no references"),
    ],
)
def test_a_lesson_is_refused_for_its_first_or_last_cells(at, text, said):
    made = lesson()
    made.cells[at].source = text
    found = lesson_problems(made)
    assert len(found) == 1 and said in found[0], f"{said!r} expected, got {found}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[next](02_none.ipynb)", "02_none.ipynb leads nowhere"),
        ("[next](02_none.ipynb#there)", "02_none.ipynb leads nowhere"),
        ("[up](#no-such-heading)", "no such heading"),
        ("![A dot](figures/none.svg)", "figures/none.svg leads nowhere"),
        ("![](here.svg)", "no alt text"),
        ('<img src="here.svg">', "no alt text"),
        ("![A dot](https://example.org/a.png)", "is not a file"),
        ("[![A dot](here.svg)](none.md)", "none.md leads nowhere"),
        ('<a href="none.md">x</a>', "none.md leads nowhere"),
        ("<IMG ALT='a dot' SRC='none.svg'>", "none.svg leads nowhere"),
        ("<img alt=dot src=none.svg>", "none.svg leads nowhere"),
        ("[next][there]\n\n[there]: none.md", "none.md leads nowhere"),
        ("[up](page.md#no-such-heading)", "no such heading"),
        ("[up](/etc/hosts)", "leads nowhere for others"),
        ("[up](file:///etc/hosts)", "leads nowhere for others"),
    ],
)
def test_a_text_is_refused_for_its_link_or_picture(tmp_path, text, said):
    (tmp_path / "here.svg").touch()
    (tmp_path / "page.md").write_text("# A page")
    found = broken_links("# A heading\n" + text, tmp_path)
    assert len(found) == 1 and said in found[0], f"{said!r} expected for {text}, got {found}"


def test_links_that_lead_somewhere_pass(tmp_path):
    (tmp_path / "here.svg").touch()
    (tmp_path / "page.md").write_text("# A page")
    text = (
        "[page](page.md#a-page) [page][p]\n\n[p]: page.md\n\n"
        "# What `Q` does: a *start*\n![A dot](here.svg) [x](here.svg) [![A dot](here.svg)](here.svg)"
        "[web](https://example.org/a) [mail](mailto:a@example.org) [up](#What-Q-does:-a-start)"
        "[hosted](#what-q-does-a-start) `[code](none)` $f[i](x)$\n```\n[code](none)\n```\n"
    )
    assert not broken_links(text, tmp_path), broken_links(text, tmp_path)


SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 300"><title>t</title>'
    '<defs><marker id="m"><path d="M0 0"/></marker></defs>'
    '<rect x="1" y="1" width="758" height="298" rx="8" fill="#fff"/>'
    '<line x1="0" x2="9" marker-end="url(#m)"/></svg>'
)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("</svg>", "", "not well-formed"),
        ('viewBox="0 0 760 300"', "", "viewBox"),
        ('fill="#fff"', 'fill="none"', "no white rect"),
        ('width="758"', 'width="400"', "no white rect"),
        ("<line", "<script/><line", "holds a script"),
        ("<svg", '<?xml-stylesheet href="a.css"?><svg', "nothing outside"),
        ("<svg", '<!DOCTYPE svg SYSTEM "a.dtd"><svg', "nothing outside"),
        ("<line", '<line onclick="a()"', "reacts"),
        ("<line", "<animate/><line", "holds a animate"),
        ("<line", '<image href="data:x"/><line', "holds a image"),
        ("url(#m)", "url(http://example.org#m)", "nothing outside"),
        ("<line", '<use href="other.svg#a"/><line', "nothing outside"),
        ("<line", "<style>@import 'a.css'</style><line", "nothing outside"),
    ],
)
def test_a_schematic_is_refused(old, new, said):
    found = svg_problems(SVG.replace(old, new))
    assert any(said in fault for fault in found), f"{said!r} expected, got {found}"


def test_a_schematic_without_fault_passes():
    assert not svg_problems(SVG), svg_problems(SVG)


# --- All at once, as `pytest` runs it ----------------------------------------------------------


def ignore_a_wrong_digit(made):
    made.cells[SUM].outputs = [result("3", 2)]
    made.cells[SUM].metadata.update(tags=["nbval-ignore-output"])


def draw_nothing(made):
    made.cells[DRAW].source = DRAWING.replace("image/png", "image/none")


SABOTAGES = {
    "a picture painted over": (
        "notebooks/painted.ipynb", outputs(DRAW, picture(png(grey=0))), "1 pixels of the picture differ"
    ),
    "a picture that is not drawn any more": (
        "notebooks/undrawn.ipynb", draw_nothing, "1 pictures are recorded and 0 are drawn"
    ),
    "a changed digit": (
        "solutions/digit/digit.ipynb", outputs(PRINT, printed("2\n")), "Cell outputs differ"
    ),
    "a cleared cell": ("notebooks/cleared.ipynb", clear, "carries the count None: run all cells"),
    "two cells swapped": ("notebooks/swapped.ipynb", swap, "name 'a' is not defined"),
    "a cell tagged as ignored": (
        "notebooks/ignored.ipynb", ignore_a_wrong_digit, "asks for an exemption (nbval-ignore-output)"
    ),
    "a kernel that dies": (
        "notebooks/dead.ipynb", source("import os\nos._exit(3)"), "The kernel died (exit status 3)"
    ),
    "an exercise that fails before its first answer": (
        "notebooks/exercises/broken/broken.ipynb", source("1 / 0"), "fails with ZeroDivisionError"
    ),
    "an exercise with nothing left to answer": (
        "notebooks/exercises/done/done.ipynb",
        lambda made: made.cells.pop(2),
        "no answer is missing",
    ),
}  # fmt: skip


def exercise() -> nbformat.NotebookNode:
    """A released exercise: a cell that runs, the answer's place, a cell that needs the answer."""
    answer = v4.new_code_cell("raise NotImplementedError()", id="answer")
    answer.metadata.nbgrader = {"solution": True, "grade": False, "grade_id": "answer"}
    cells = [v4.new_code_cell("a = 1", id="given"), answer, v4.new_code_cell("1 / 0", id="test")]
    return notebook(v4.new_markdown_cell("# Sums", id="title"), *cells)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory) -> dict[str, tuple[float, str]]:
    """Seconds and failure (empty: passed) of each test of a small course full of sabotage."""
    course, home = tmp_path_factory.mktemp("course"), tmp_path_factory.mktemp("home")
    for name in ("pyproject.toml", "conftest.py", "tests/test_notebooks.py"):
        (course / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, course / name)
    (course / "tests/support").mkdir()
    for name in ("notebook_guards.py", "pictures.py"):
        shutil.copy(ROOT / "tests/support" / name, course / "tests/support")
    (course / "README.md").write_text("# A small course")
    made = {"notebooks/clean.ipynb": lesson(), "notebooks/exercises/open/open.ipynb": exercise()}
    for path, sabotage, _ in SABOTAGES.values():
        made[path] = exercise() if "exercises" in path else lesson()
        sabotage(made[path])
    made["notebooks/exercises/done/done.ipynb"].cells.pop()
    for path, content in made.items():
        (course / path).parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(content, course / path)
    for folder in ("notebooks/figures", "notebooks/exercises/figures"):
        (course / folder).mkdir(parents=True)
        (course / folder / "dot.svg").write_text(SVG)
    return run_pytest(course, environment_with_traps(home))


def environment_with_traps(home: Path) -> dict[str, str]:
    """A user's own start-up file and kernel, each of which would make every notebook fail."""
    startup = home / ".ipython/profile_default/startup/trap.py"
    kernel = home / ".local/share/jupyter/kernels/python3/kernel.json"
    for path, text in (
        (startup, "import builtins; builtins.print = None"),
        (kernel, '{"argv": ["false"], "display_name": "Trap", "language": "python"}'),
    ):
        path.parent.mkdir(parents=True)
        path.write_text(text)
    ours = ("PYTEST_", "JUPYTER_", "IPYTHONDIR")
    env = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return env | {"HOME": str(home), "JUPYTER_PATH": str(kernel.parents[2]), "MPLBACKEND": "none"}


def run_pytest(course: Path, env: dict[str, str]) -> dict[str, tuple[float, str]]:
    command = [sys.executable, "-m", "pytest", "-n", "0", "--color=no", "--junitxml=report.xml"]
    run = subprocess.run(command, cwd=course, env=env, capture_output=True, text=True, timeout=120)
    assert run.returncode == 1, f"pytest ended with {run.returncode}:\n{run.stdout}{run.stderr}"
    assert not run.stderr and "warnings summary" not in run.stdout, (
        f"pytest warns:\n{run.stdout}{run.stderr}"
    )
    cases = ElementTree.parse(course / "report.xml").iter("testcase")
    return {
        f"{case.get('classname')} {case.get('name')}": (
            float(case.get("time")),
            "\n".join(f"{bad.get('message')}\n{bad.text}" for bad in case if bad.tag != "skipped"),
        )
        for case in cases
    }


@pytest.mark.parametrize("name", SABOTAGES)
def test_pytest_fails_for(name, outcomes):
    path, _, reason = SABOTAGES[name]
    stem = Path(path).stem
    failures = {case: failure for case, (_, failure) in outcomes.items() if stem in case and failure}
    assert any(reason in failure for failure in failures.values()), (
        f"{name} should fail with {reason!r}; the failures of {path} are {failures}"
    )


def test_pytest_passes_what_has_no_fault_whatever_the_user_has_set_up(outcomes):
    of_clean = {case: failure for case, (_, failure) in outcomes.items() if "clean" in case}
    cells = [case for case in of_clean if " Cell " in case]
    assert len(cells) == 4, f"the clean lesson has 4 code cells, nbval ran {cells}"
    assert not any(of_clean.values()), f"the clean lesson fails: {of_clean}"
    of_open = {case: failure for case, (_, failure) in outcomes.items() if "open" in case}
    assert [*of_open.values()] == [""], f"one passing test of the open exercise, got {of_open}"


def test_a_dead_kernel_is_noticed_within_seconds(outcomes):
    taken = max(seconds for case, (seconds, _) in outcomes.items() if "dead" in case)
    assert taken < 20, f"a cell of the notebook whose kernel dies took {taken} s"

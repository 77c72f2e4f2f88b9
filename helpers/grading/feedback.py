"""The feedback page: what it begins with, and what it must not show."""

import builtins
import functools
import html
import re
from pathlib import Path

import nbformat
from jinja2 import BytecodeCache
from nbconvert.exporters import HTMLExporter, TemplateExporter
from nbconvert.filters import Highlight2HTML, strip_ansi
from nbconvert.filters.widgetsdatatypefilter import WidgetsDataTypeFilter
from nbformat.v4 import new_markdown_cell, new_output
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import ClearHiddenTests, NbGraderPreprocessor
from nbgrader.utils import is_grade
from traitlets import List

from helpers.exercises import part_names
from helpers.exercises.scoring import OURS, message, verdict
from helpers.phrases import RETURN_EXPECTED, in_html


class HideHiddenTests(ClearHiddenTests):
    """Feedback says what a hidden test found, not how it looked.

    Removes the hidden lines from graded cells, and from all outputs whatever quotes one. Of a graded
    cell's error only the sentence stays, with the frames in the student's own cells; where a hidden line
    failed, not what a student's function said, for it was called with what is hidden. Where a cell
    hides tests, or calls one that does, what was printed would show what a student's function was
    called with: only the message of partial credit stays, and that only as the last line.
    """

    display_data_priority = List(config=True)  # nbconvert hands it to every step of an HTML export

    def preprocess(self, nb, resources):
        code = [cell for cell in nb.cells if cell.cell_type == "code"]
        before = {id(cell): cell.source for cell in code if is_grade(cell)}
        hiding = [cell for cell in code if is_grade(cell) and self._remove_hidden_test_region(cell)]
        lines = {cell.execution_count: _hidden_lines(before[id(cell)], cell.source) for cell in hiding}
        visible = _letters("\n".join(cell.source for cell in nb.cells))
        hidden = {_letters(line) for cell in hiding for line in before[id(cell)].splitlines()}
        hidden = {line for line in hidden if len(line) >= 12 and line not in visible}

        def quotes(*texts) -> bool:
            forms = [_letters(form) for text in texts for form in (str(text), re.sub(r"<[^<>]*>", "", str(text)))]
            return any(line in form for line in hidden for form in forms)

        tests = {cell.execution_count for cell in code if is_grade(cell)}
        names = {name for cell in hiding for name in re.findall(r"^def (\w+)", cell.source, re.MULTILINE)}
        for cell in code:
            if cell in hiding or names & set(re.findall(r"\w+", cell.source)):  # it may call the test again
                cell.outputs = _told(cell.outputs)
            for output in cell.outputs:
                if output.output_type == "error":
                    if quotes(output.ename):
                        output.ename = "Exception"
                    if quotes(output.evalue):
                        output.evalue = "The message is left out, because it quotes a hidden test."
                    if cell in hiding and _failed_at(output.traceback, cell.execution_count, lines):
                        output.ename, output.evalue = unsaid(output.ename, output.evalue)
                    frames = [frame for frame in output.traceback[:-1] if _is_shown(frame, tests, is_grade(cell))]
                    last = f"{output.ename}: {output.evalue}"
                    output.traceback = [last] if quotes(*frames) else [*frames, last]
            cell.outputs = [output for output in cell.outputs
                            if output.output_type == "error" or not quotes(output.get("text"), *output.get("data", {}).values())]
        return nb, resources


def _hidden_lines(source: str, shown: str) -> set[int]:
    """The numbers of the lines that are not shown."""
    left, hidden = shown.splitlines(), set()
    for number, line in enumerate(source.splitlines(), start=1):
        if left and line == left[0]:
            left.pop(0)
        else:
            hidden.add(number)
    return hidden


def _failed_at(traceback: list[str], test: int | None, lines: dict[int | None, set[int]]) -> bool:
    """Whether one of the test's hidden lines stands in a traceback."""
    places = re.findall(r"Cell In\[(\d+)\], line (\d+)", strip_ansi("\n".join(traceback)))
    return any(int(cell) == test and int(line) in lines[test] for cell, line in places)


def unsaid(name: str, sentence: str) -> tuple[str, str]:
    """An error and its sentence without the words of a student's exception."""

    def kind(name: str) -> str:
        return name if hasattr(builtins, name) else "an exception of its own"

    if name not in OURS:
        return "Exception", f"A hidden test was stopped by {kind(name)}."
    return name, re.sub(rf"\braised (\w+) \(.*\); {RETURN_EXPECTED}", lambda found: f"raised {kind(found[1])}; {RETURN_EXPECTED}",
                        sentence, flags=re.DOTALL)  # fmt: skip


def _letters(text: str) -> str:
    """What is left of a line however it is quoted: escaped, coloured, wrapped."""
    return re.sub(r"\\[nt]|[\W_]", "", html.unescape(strip_ansi(text)))


def _is_shown(frame: str, tests: set[int | None], graded: bool) -> bool:
    """Whether a part of a traceback may be seen: nothing of a test or of `helpers`, and of a test's error only students' cells."""
    frame = strip_ansi(frame).lstrip()
    if own := re.match(r"Cell In\[(\d+)\]", frame):
        return int(own[1]) not in tests
    return not graded and not re.match(r"File .*\bhelpers\b", frame)


def _told(outputs: list) -> list:
    """Of a cell that hides tests: errors, the points, and the message of partial credit."""
    errors = [output for output in outputs if output.output_type == "error"]
    values = [output for output in outputs if output.output_type == "execute_result"]
    for value in values:
        value.data = {"text/plain": value.data.get("text/plain", "")}
    said = message(outputs) if values else ""
    return errors + ([new_output("stream", name="stdout", text=f"{said}\n")] if said else []) + values


# -- The page ---------------------------------------------------------------------------------


class _Compiled(BytecodeCache):
    """Compiled templates, kept while this process lives: compiling takes longer than filling one in."""

    def __init__(self):
        self.kept = {}  # key → checksum of the template, bytecode

    def load_bytecode(self, bucket):
        checksum, bytecode = self.kept.get(bucket.key, ("", b""))
        if checksum == bucket.checksum:
            bucket.bytecode_from_string(bytecode)

    def dump_bytecode(self, bucket):
        self.kept[bucket.key] = bucket.checksum, bucket.bytecode_to_string()


class FeedbackPage(HTMLExporter):
    """nbconvert's page for less work, which counts where there are hundreds.

    nbgrader's template is compiled once and not for each hand-in, and a source that many hand in is coloured
    once. nbconvert's last step, which takes the finished page apart for two attributes, is left out: this
    template has no cells to be focused, and pictures get their alternative text below.
    """

    _compiled = _Compiled()

    def from_notebook_node(self, nb, resources=None, **options):
        language = nb.metadata.get("language_info", {})
        lexer = language.get("pygments_lexer", language.get("name"))
        resources = self._init_resources(resources)
        shown = WidgetsDataTypeFilter(notebook_metadata=self._nb_metadata, parent=self, resources=resources)
        self.register_filter("highlight_code", lambda source, metadata: _highlighted(source, lexer, str(metadata.get("magics_language", ""))))
        self.register_filter("filter_data_type", shown)
        page, resources = TemplateExporter.from_notebook_node(self, nb, resources, **options)
        return re.sub(r"<img (?![^<>]*\balt=)", '<img alt="A picture that the cell above shows" ', page), resources

    def _create_environment(self):
        environment = super()._create_environment()
        environment.bytecode_cache = self._compiled
        return environment


@functools.lru_cache(maxsize=1000)
def _highlighted(source: str, lexer: str | None, magics: str) -> str:
    """A cell's source in colour: most cells are the same in all hand-ins."""
    return Highlight2HTML(pygments_lexer=lexer)(source, metadata={"magics_language": magics} if magics else None)


# -- The table at the top --------------------------------------------------------------------

TABLE = """\
<style>
#summary {{ width: 100%; margin-bottom: 2em; font-size: 14px }}
#summary th, #summary td {{ text-align: left; vertical-align: top; padding: 0.4em 0.6em; white-space: normal; overflow-wrap: break-word }}
#summary tr {{ border-bottom: 1px solid #ddd }}
#summary td:nth-child(2) {{ white-space: nowrap }}
#summary td:nth-child(3) {{ overflow-wrap: anywhere }}
.rendered_html table:not(#summary) th, .rendered_html table:not(#summary) td {{ text-align: left; padding: 0.3em 0.8em }}
.rendered_html table {{ margin-bottom: 1em }}
#summary .lost td:nth-child(2) {{ font-weight: bold }}
#toc li:not(.late-penalty):not(:has([href^="#comment"])) {{ display: none }}
@media (max-width: 600px) {{
#summary thead {{ display: none }}
#summary tr {{ display: grid; grid-template-columns: 1fr auto }}
#summary td:nth-child(3) {{ grid-column: 1 / 3; padding-top: 0 }}
}}
</style>
<table id="summary" class="tex2jax_ignore mathjax_ignore">
<thead><tr><th>part</th><th>points</th><th>what was found</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>"""


class Summary(NbGraderPreprocessor):
    """Begins the page with a table: part, points, what was wrong and why. Comes after what fills and hides."""

    def preprocess(self, nb, resources):
        names = part_names(nb.cells) | self._names_in_the_exercise(resources.get("nbgrader"))
        rows = []
        for cell in nb.cells:
            if is_grade(cell):
                mark = cell.metadata.nbgrader
                link = f'<a href="#{html.escape(mark.grade_id)}">{_plain(names[mark.grade_id])}</a>'
                start = '<tr class="lost">' if mark.score < mark.points else "<tr>"
                rows.append(f"{start}<td>{link}</td><td>{mark.score:g} of {mark.points:g}</td><td>{_plain(verdict(cell))}</td></tr>")
        if rows:
            nb.cells.insert(0, new_markdown_cell(TABLE.format(rows="\n".join(rows)), id="summary"))
        return nb, resources

    def _names_in_the_exercise(self, where: dict | None) -> dict[str, str]:
        """As the instructor's notebook has them: a hand-in's headings may have gone or moved."""
        if where is None:
            return {}
        course = CourseDirectory(config=self.config)
        folder = course.format_path(course.source_directory, ".", where["assignment"])
        exercise = Path(folder) / f"{where['notebook']}.ipynb"
        return part_names(nbformat.read(exercise, as_version=4).cells) if exercise.is_file() else {}


def _plain(text: str) -> str:
    """Text that stays what it is, in HTML that Markdown leaves alone."""
    return "<br>".join(in_html(line) for line in strip_ansi(text).strip().splitlines())

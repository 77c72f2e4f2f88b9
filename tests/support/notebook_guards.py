"""What re-execution lets through, refused.

nbval re-runs every cell and compares its text. It passes a cell that was never run, a cell that
asks not to be looked at, a picture, a traceback, and text that happens to repeat here and nowhere
else. Each rule below takes a notebook (or a file's text) and yields sentences: which cell, what is
wrong with it, what to do. No sentence, no fault.
"""

import ast
import base64
import binascii
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from nbformat import NotebookNode
from nbformat.validator import iter_validate
from nbval.plugin import comment_markers

MAX_BYTES = 500_000

KERNELSPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}
LANGUAGE_INFO = {"name": "python"}

CELL_METADATA = {"deletable", "editable", "nbgrader", "tags"}

# Kinds of output a reader sees wherever the notebook is shown, and a test can look at.
OUTPUT_KINDS = {"text/plain", "text/html", "image/png"}

HIDING = {
    "capture_output": "its output is swallowed",
    "clear_output": "its output is erased",
    "get_ipython": "it runs a magic in disguise",
    "redirect_stderr": "its output is swallowed",
    "redirect_stdout": "its output is swallowed",
}

_NUMBER = r"(?<![\w.])\d+(?:\.\d+)?"

UNSTABLE = [
    (
        "a path",
        r"(?<![\w/.<])(?:(?:/[A-Za-z_][\w.-]*){2,}|/(?:home|root|tmp|Users)\b)"
        r"|~/\w|\b[A-Za-z]:\\|\b(?:site|dist)-packages\b",
        "print a name instead, and an exception as `type: message`",
    ),
    (
        "a memory address",
        r"\b0x[0-9a-fA-F]{6,}\b",
        "print a value of the object, not the object",
    ),
    (
        "a time",
        r"\b\d{1,2}:\d{2}:\d{2}\b|\b\d{1,2}:\d{2} ?[aApP][mM]\b|\d\d:\d\d<\d\d:\d\d"
        rf"|{_NUMBER} ?(?:ns|µs|μs|us|ms|s|secs?|seconds?|mins?(?! ?-?\d)|minutes?|hours?)(?![\w=/-]| =)"
        r"|\b(?:it|s|steps?|batch(?:es)?|tokens?|epochs?)/(?:s|it|sec|second)\b",
        "draw it in a picture, or print a comparison that is true on any machine",
    ),
    (
        "a date",
        r"\b(?:19|20)\d\d-[01]\d-[0-3]\d(?!\d)|\b\d{1,2}/\d{1,2}/(?:19|20)\d\d\b"
        r"|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w* \d{1,2} [A-Z][a-z]{2}"
        r"|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2},? (?:19|20)\d\d\b",
        "leave it out",
    ),
    (
        "a version",
        r"(?<![\w.])v?\d+\.\d+\.\d+(?:\+\w+)?(?![\w.])",
        "leave it out: what is shown must hold for the next release too",
    ),
    (
        "a warning",
        r"\b\w*Warning\b|\bwarnings?\.warn\b|\b(?:warning|WARNING):",
        "mend what it warns about",
    ),
    (
        "a progress bar",
        r"\r|[█▏▎▍▌▋▊▉]|\d%\|",
        "show progress only where nothing is recorded",
    ),
    (
        "an unrounded number",
        r"\d\.\d{9,}|\d\.\d{4,}e-(?:0[89]|[1-9]\d)\b|\d(?:\.\d+)?e-1[5-9]\b",
        "round it: the last digits differ from one processor to the next",
    ),
]


def problems(notebook: NotebookNode) -> list[str]:
    """Every fault of a recorded notebook that re-execution does not notice."""
    if (notebook.nbformat, notebook.nbformat_minor) != (4, 5):
        version = f"{notebook.nbformat}.{notebook.nbformat_minor}"
        return [f"its format is {version}: save it as 4.5, in which cells have ids"]
    if invalid := [error.message for error in iter_validate(notebook)]:
        return [f"its form is invalid ({_short(invalid[0])}): save it from Jupyter"]
    found = list(_form(notebook))
    for position, cell in enumerate(notebook.cells, start=1):
        where = f"cell {position} ({cell.get('id', 'no id')})"
        rules = (_cell_form, _exempted, _output) if cell.cell_type == "code" else (_cell_form,)
        found += [f"{where} {fault}" for rule in rules for fault in rule(cell)]
    return found + list(_order(notebook))


def lesson_problems(notebook: NotebookNode) -> list[str]:
    """Faults in how a lesson begins and ends."""
    first = notebook.cells[0].source if notebook.cells else ""
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    ending = "\n".join(texts[len(texts) // 2 :])
    found = []
    if not re.match(r"# \S", first) or notebook.cells[0].cell_type != "markdown":
        found.append("the first cell has no title: begin it with `# `")
    if "?" not in first:
        found.append("the first cell asks nothing: put the question the lesson answers there")
    if not re.search(r"\d+ minutes", first):
        found.append("the first cell does not say how long it takes: write `… minutes`")
    if not re.search(r"^\| *claim .*\n\|[ :|-]+\|$", ending, re.I | re.M):
        found.append("no recap: end with a table of two columns, claim | what the output showed")
    if not re.search(r"^#+ .*\breferences\b", ending, re.I | re.M):
        found.append("no references: end with a heading `References`")
    return found


def file_problems(path: Path) -> list[str]:
    """Faults of a notebook's file that are gone once it is read."""
    size = path.stat().st_size
    if size > MAX_BYTES:
        return [f"it has {size:,} bytes, more than {MAX_BYTES:,}: draw fewer or smaller pictures"]
    return []


def broken_links(markdown: str, folder: Path) -> list[str]:
    """Links and pictures in a text, read from `folder`, that lead nowhere or say nothing.

    Only what a reader without a network can follow is looked up: files, and headings of the text
    itself.
    """
    code_or_formula = r"^(```|~~~).*?^\1|`[^`\n]*`|\$\$.*?\$\$|\$[^$\n]*\$"
    text = re.sub(code_or_formula, "", markdown, flags=re.M | re.S)
    found = []
    pictures = re.findall(r"!\[([^\]]*)\]\(\s*<?([^)>\s]+)", text)
    for tag in re.findall(r"<img\b[^>]*>", text, flags=re.I):
        attributes = {
            name.lower(): value
            for name, value in re.findall(r"""\b(\w+)=["']?((?<=")[^"]*|(?<=')[^']*|[^\s"'>]+)""", tag)
        }
        pictures.append((attributes.get("alt", ""), attributes.get("src", "")))
    for alt, target in pictures:
        if not alt.strip():
            found.append(f"the picture {target} has no alt text: say what it shows")
        if re.match(r"\w+:", target):
            found.append(f"the picture {target} is not a file: draw it under figures/")
    links = re.findall(r"(?<!!)\[(?:[^\[\]]|!?\[[^\]]*\](?:\([^)]*\))?)*\]\(\s*<?([^)>\s]+)", text)
    links += re.findall(r"""<a\b[^>]*\bhref=["']([^"']*)["']""", text, flags=re.I)
    links += re.findall(r"^ {0,3}\[[^\]]+\]:\s*<?([^>\s]+)", text, flags=re.M)  # [name]: target
    for target in [target for _, target in pictures] + links:
        if re.match(r"(https|mailto):", target):
            continue
        name, _, anchor = target.partition("#")
        if re.match(r"\w+:|/", name):
            if target not in [picture for _, picture in pictures]:
                found.append(f"the link to {target} leads nowhere for others: link to a file or to https")
        elif name and not os.path.exists(os.path.normpath(folder / name)):
            found.append(f"the link to {name} leads nowhere: there is no such file")
        elif anchor and anchor.lower() not in _anchors(_markdown(Path(os.path.normpath(folder / name))) if name else markdown):
            found.append(f"the link to {target} leads nowhere: there is no such heading")
    return found


def svg_problems(text: str) -> list[str]:
    """Faults of a schematic: it must be readable on any theme, without a network."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        return [f"it is not well-formed: {error}"]
    found = []
    if re.search(r"<\?xml-stylesheet|<!DOCTYPE", text):
        found.append("it names a style sheet or a document type: nothing outside may be needed")
    names = [(element.tag.rpartition("}")[2], element) for element in root.iter()]
    if names[0][0] != "svg" or not root.get("viewBox"):
        found.append("its root is not an svg with a viewBox: add one, so that it scales")
    drawn = {"rect", "circle", "ellipse", "line", "path", "polygon", "polyline", "text", "use"}
    hidden = {id(e) for name, parent in names if name in ("defs", "symbol") for e in parent.iter()}
    first = next((e for name, e in names if name in drawn and id(e) not in hidden), None)
    if first is None or not first.tag.endswith("rect") or not _covers(first, root):
        found.append("its first shape is no white rect over the whole viewBox: add one behind all")
    for name, element in names:
        if name in ("script", "foreignObject", "image", "animate", "set"):
            found.append(f"it holds a {name}: draw with shapes and text alone")
        for key, value in element.attrib.items():
            if key.startswith("on"):
                found.append(f"its {name} reacts ({key}): draw with shapes and text alone")
            outside = re.search(r"url\(\s*['\"]?(?!#)", value)
            if outside or (key.rpartition("}")[2] in ("href", "src") and not value.startswith("#")):
                found.append(f"its {name} refers to {value}: nothing outside may be needed")
        if name == "style" and re.search(r"@import|url\(\s*['\"]?(?!#)", element.text or ""):
            found.append("its style refers to something outside: nothing outside may be needed")
    return found


def _form(notebook: NotebookNode) -> Iterator[str]:
    expected = {"kernelspec": KERNELSPEC, "language_info": LANGUAGE_INFO}
    for key in sorted(notebook.metadata.keys() | expected.keys()):
        if notebook.metadata.get(key) != expected.get(key):
            yield (
                f"its metadata {key!r} is {notebook.metadata.get(key)!r}, not "
                f"{expected.get(key)!r}: what differs between machines is not recorded"
            )
    ids = [cell.get("id") for cell in notebook.cells]
    for name in sorted({name for name in ids if name is not None and ids.count(name) > 1}):
        yield f"the id {name!r} is there twice: name each cell differently"


def _order(notebook: NotebookNode) -> Iterator[str]:
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for expected, cell in enumerate(code, start=1):
        if cell.execution_count != expected:
            yield (
                f"code cell {expected} of {len(code)} ({cell.get('id', 'no id')}) carries the count "
                f"{cell.execution_count}: run all cells, in order, from a fresh kernel, and record that"
            )
            return


def _cell_form(cell: NotebookNode) -> Iterator[str]:
    name = cell.get("id") or ""
    if not re.fullmatch(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*", name) or _is_random(name):
        yield "has no readable id: name it in a few small words, as in `softmax-by-hand`"
    for key in sorted(cell.metadata.keys() - CELL_METADATA):
        yield f"carries metadata {key!r}: delete it, it differs from run to run or hides the cell"
    if cell.get("attachments"):
        yield "carries a file inside: put it under figures/ and link to it"
    if eaten := re.search(r"[\x00-\x09\x0b-\x1f\x7f].{0,8}", cell.source):
        yield (
            f"holds a control character, {eaten.group()!r}: where a backslash was meant, as in "
            r"\text or \frac, write it again; otherwise spaces"
        )


def _is_random(name: str) -> bool:
    """Eight hexadecimal digits, alone or at the head of a UUID: what a program makes up."""
    return bool(re.match(r"(?=[a-f]*\d)[0-9a-f]{8}(-[0-9a-f]{4}|$)", name))


def _exempted(cell: NotebookNode) -> Iterator[str]:
    tags = cell.metadata.get("tags", [])
    comments = [line.strip().lstrip("#").strip() for line in cell.source.splitlines() if "#" in line]
    asked = [tag for tag in tags if tag != "raises-exception"]
    for mark in asked + [comment for comment in comments if comment in comment_markers]:
        yield f"asks for an exemption ({mark}): delete the mark and mend what made it needed"
    raised = any(output.output_type == "error" for output in cell.outputs)
    if "raises-exception" in tags and not raised:
        yield "is tagged raises-exception and raised nothing: delete the tag or record the error"
    if raised and "raises-exception" not in tags:
        yield "ended in an error: mend it, or tag it raises-exception if it is meant"
    if not cell.source.strip():
        yield "is empty: delete it"
        return
    try:
        tree = ast.parse(cell.source)
    except SyntaxError:
        yield "is not plain Python: write no magic, no `!` and no `?`, they hide or pass unseen"
        return
    named = set()
    for node in ast.walk(tree):
        named |= {getattr(node, "id", None), getattr(node, "attr", None)}
        if isinstance(node, ast.ImportFrom):
            named |= {alias.name for alias in node.names}
        if isinstance(node, ast.Call) and re.search(
            r"\b(filterwarnings|simplefilter|catch_warnings)\(", ast.unparse(node)
        ):
            yield "silences warnings, or catches them: mend what they warn about"
        if isinstance(node, ast.Assign) and re.search(
            r"\bsys\.(stdout|stderr) =|PYTHONWARNINGS", ast.unparse(node)
        ):
            yield "turns output away: let everything be seen"
    for name in sorted(named & HIDING.keys()):
        yield f"calls {name}, so {HIDING[name]}: let everything be seen"


def _output(cell: NotebookNode) -> Iterator[str]:
    for output in cell.outputs:
        if output.output_type == "stream" and output.name == "stderr":
            yield f"wrote to stderr ({_short(output.text)}): a warning or an error, mend its cause"
        if output.output_type == "execute_result" and output.execution_count != cell.execution_count:
            yield "shows a result of another run: run all cells from a fresh kernel"
        for text in _texts(output):
            for what, pattern, remedy in UNSTABLE:
                if match := re.search(pattern, text):
                    yield f"shows {what} ({_short(match.group())}): {remedy}"
        yield from _picture(output)


def _texts(output: NotebookNode) -> Iterator[str]:
    """All text a reader sees of an output, as one string each."""
    if output.output_type == "stream":
        yield output.text
    elif output.output_type == "error":
        yield f"{output.ename}: {output.evalue}"
        yield re.sub(r"\x1b\[[\d;]*m", "", "\n".join(output.traceback))
    else:
        yield from (v for kind, v in output.data.items() if kind.startswith("text/"))


def _picture(output: NotebookNode) -> Iterator[str]:
    data = output.get("data", {})
    for kind in sorted(data.keys() - OUTPUT_KINDS):
        if not kind.startswith("image/"):
            yield f"shows {kind}, which is not seen everywhere: show text or a PNG"
    if "://" in data.get("text/html", ""):
        yield "shows HTML that needs a network: show text or a PNG"
    kinds = [kind for kind in data if kind.startswith("image/")]
    if not kinds:
        if re.match(r"<(Figure|PIL|IPython\.core\.display\.Image)\b", data.get("text/plain", "")):
            yield "shows a figure's name and no picture: show it with `plots.show(fig, alt=…)`"
        return
    if kinds != ["image/png"]:
        yield f"shows a picture as {', '.join(kinds)}: record it as PNG and nothing else"
    if "image/png" in data:
        fault = _png_fault(data["image/png"])
        if fault:
            yield f"shows a PNG that {fault}: record it again with `plots.show(fig, alt=…)`"
    alt = output.metadata.get("image/png", {}).get("alt", "")
    if not alt.strip():
        yield "shows a picture without alt text: show it with `plots.show(fig, alt=…)`"
    elif data.get("text/plain") != alt:
        yield "shows a picture whose plain text is not its alt text: use `plots.show(fig, alt=…)`"


def _png_fault(encoded: str) -> str | None:
    try:
        png = base64.b64decode("".join(encoded.split()), validate=True)
    except binascii.Error:
        return "is not base64"
    if not png.startswith(b"\x89PNG\r\n\x1a\n"):
        return "is no PNG"
    kinds, at = [], 8
    while at + 12 <= len(png):
        length = int.from_bytes(png[at : at + 4])
        kinds.append(png[at + 4 : at + 8])
        at += 12 + length
    if at != len(png) or not kinds or kinds[0] != b"IHDR" or kinds[-1] != b"IEND":
        return "is cut short"
    if b"IDAT" not in kinds:
        return "holds no picture"
    if {b"tEXt", b"iTXt", b"zTXt", b"tIME"} & set(kinds):
        return "tells who drew it and when"
    return None


def _covers(rect: ElementTree.Element, root: ElementTree.Element) -> bool:
    """Whether a rect is white and lies behind the whole view, but for a margin of its border."""
    wanted = (root.get("viewBox") or "0 0 0 0").replace(",", " ").split()
    got = [rect.get(side, "0") for side in ("x", "y", "width", "height")]
    got = [total if side == "100%" else side for side, total in zip(got, wanted, strict=True)]
    white = rect.get("fill", "").lower() in ("white", "#fff", "#ffffff")
    return white and all(abs(float(g) - float(w)) <= 4 for g, w in zip(got, wanted, strict=True))


def _markdown(path: Path) -> str:
    """The text of a page, or of a notebook's text cells; none of anything else."""
    if path.suffix == ".md":
        return path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    return ""


def _anchors(markdown: str) -> set[str]:
    """The names under which a text's headings and marked places can be linked to."""
    headings = re.findall(r"^#+\s+(.*?)\s*#*$", markdown, flags=re.M)
    plain = [re.sub(r"[`*_$]", "", heading).lower() for heading in headings]
    jupyter = {heading.replace(" ", "-") for heading in plain}
    hosted = {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}
    marked = set(re.findall(r"""\b(?:id|name)=["']([^"']+)["']""", markdown.lower()))
    return jupyter | hosted | marked


def _short(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= 60 else line[:57] + "…")

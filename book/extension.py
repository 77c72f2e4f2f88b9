"""What the pages need besides MyST-NB: alternative texts, a word on exercises, formulas without a network."""

import re
import shutil
from importlib.util import find_spec
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

MATHJAX = Path(find_spec("sphinx-mathjax-offline").origin).parent / "static" / "mathjax"


def describe_pictures(app: Sphinx, doctree: nodes.document) -> None:
    """Give each recorded picture its alternative text, which stands beside it as plain text."""
    for output in doctree.findall(nodes.container):
        if output.get("nb_element") == "mime_bundle":
            texts = {part["mime_type"]: part.astext() for part in output}
            for picture in output.findall(nodes.image):
                picture["alt"] = texts["text/plain"]


def hold_together(app: Sphinx, doctree: nodes.document) -> None:
    """Let no line end between a formula and the comma or bracket beside it."""
    for formula in list(doctree.findall(nodes.math)):
        parent, at = formula.parent, formula.parent.index(formula)
        before, after = (parent[i] if 0 <= i < len(parent) else None for i in (at - 1, at + 1))
        left, right = "", ""
        if isinstance(before, nodes.Text):
            left = re.search(r"[^\s\w]*$", before).group()
            parent[at - 1] = nodes.Text(before.removesuffix(left))
        if isinstance(after, nodes.Text):
            right = re.match(r"[^\s\w]*", after).group()
            parent[at + 1] = nodes.Text(after.removeprefix(right))
        if left or right:
            parent[at] = nodes.inline("", "", nodes.Text(left), formula, nodes.Text(right), classes=["together"])


def introduce_exercises(app: Sphinx, doctree: nodes.document) -> None:
    """Say on the page of an exercise where it is worked on."""
    name = app.env.current_document.docname
    if name.startswith("exercises/"):
        notebook = nodes.literal(text=f"notebooks/{name}.ipynb")
        text = nodes.paragraph("", "This page is for reading. The exercise is worked on in JupyterLab: ", notebook, nodes.Text("."))
        next(doctree.findall(nodes.section)).insert(1, nodes.note("", text))


def copy_mathjax(app: Sphinx, exception: Exception | None) -> None:
    """Copy what pages load of it. The extension of the package's own name copies ten times as much."""
    for path in [MATHJAX / "tex-chtml.js", *MATHJAX.glob("output/chtml/fonts/*/*")]:
        target = app.outdir / "_static" / "mathjax" / path.relative_to(MATHJAX)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)


def setup(app: Sphinx) -> None:
    for change in (describe_pictures, hold_together, introduce_exercises):
        app.connect("doctree-read", change)
    app.connect("build-finished", copy_mathjax)

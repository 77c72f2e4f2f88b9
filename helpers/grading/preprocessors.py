"""A step of ours among nbgrader's: a hand-in gets the cells of the exercise back before it is run."""

from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.api import Gradebook
from nbgrader.nbgraderformat import SCHEMA_VERSION
from nbgrader.preprocessors import NbGraderPreprocessor


class RestoreCells(NbGraderPreprocessor):
    """Every cell of the exercise is there once and is what it was: answer, test, or locked.

    Of a cell that was copied, the last counts, and the others become plain cells. What is missing
    comes back behind the cell that stood before it; an answer comes back empty and at the end,
    behind what was written instead. A locked cell that is no test, such as one of imports, is what it was
    too, and what a student made of it comes before it. nbgrader refuses copies, believes what a hand-in says a cell
    is, and leaves a missing test to be marked by hand.
    """

    def preprocess(self, nb, resources):
        where = resources["nbgrader"]
        with Gradebook(where["db_url"]) as gradebook:
            notebook = gradebook.find_notebook(where["notebook"], where["assignment"])
            answers = {cell.name for cell in notebook.solution_cells}
            points = {cell.name: cell.max_score for cell in [*notebook.grade_cells, *notebook.task_cells]}
            tasks = {cell.name for cell in notebook.task_cells}
            kinds, marks, given = {}, {}, {}
            for cell in notebook.source_cells:
                kinds[cell.name] = cell.cell_type
                if cell.locked and cell.cell_type == "code" and cell.name not in points:
                    given[cell.name] = cell.source
                marks[cell.name] = {
                    "grade_id": cell.name, "locked": cell.locked, "solution": cell.name in answers, "task": cell.name in tasks,
                    "grade": cell.name in points and cell.name not in tasks, "schema_version": SCHEMA_VERSION,
                } | ({"points": points[cell.name]} if cell.name in points else {})  # fmt: skip

        there = {}  # name → cell
        for cell in reversed(nb.cells):
            name = cell.metadata.pop("nbgrader", {}).get("grade_id")
            if isinstance(name, str) and name in marks and name not in there:
                cell.metadata["nbgrader"] = marks[name]
                there[name] = cell
                if kinds[name] == "code":
                    cell.pop("attachments", None)  # of a cell that was made text
        for name in given.keys() & there.keys():
            if there[name].cell_type == "code" and there[name].source.strip() != given[name].strip():
                place = next(index for index, cell in enumerate(nb.cells) if cell is there[name])
                nb.cells.insert(place, new_code_cell(there[name].source, id=f"own-{name}"[:64]))
        place = 0
        for name in marks:
            if name in there:
                place = next(index for index, cell in enumerate(nb.cells) if cell is there[name]) + 1
                continue
            if name in answers:
                place = len(nb.cells)
            new = new_code_cell if kinds[name] == "code" else new_markdown_cell
            nb.cells.insert(place, new(id=f"put-back-{name}"[:64], metadata={"nbgrader": marks[name]}))
            place += 1
        return nb, resources

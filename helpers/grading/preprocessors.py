"""Steps of ours among nbgrader's: two before a hand-in is run, one before feedback is written."""

import re

from nbformat.v4 import new_code_cell
from nbgrader.api import Gradebook
from nbgrader.nbgraderformat import SCHEMA_VERSION
from nbgrader.preprocessors import ClearHiddenTests, DeduplicateIds, NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution
from traitlets import List

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class DropCopiedIds(DeduplicateIds):
    """Of a cell that was copied, the last keeps its nbgrader id; the others become plain cells.

    nbgrader itself leaves an empty record on them, which its next step refuses.
    """

    def preprocess_cell(self, cell, resources, cell_index):
        cell, resources = super().preprocess_cell(cell, resources, cell_index)
        if cell.metadata.get("nbgrader") == {}:
            del cell.metadata["nbgrader"]
        return cell, resources


class PutBackAnswers(NbGraderPreprocessor):
    """An answer cell that is gone comes back, empty and at the end, behind what was written instead.

    nbgrader puts a missing test back behind the cell that stood before it, and takes for granted
    that this one is there.
    """

    def preprocess(self, nb, resources):
        where = resources["nbgrader"]
        with Gradebook(where["db_url"]) as gradebook:
            notebook = gradebook.find_notebook(where["notebook"], where["assignment"])
            answers = {cell.name for cell in notebook.solution_cells}
            wanted = [cell.name for cell in notebook.source_cells if cell.name in answers]
        present = {cell.metadata.get("nbgrader", {}).get("grade_id") for cell in nb.cells if is_solution(cell)}
        for name in wanted:
            if name not in present:
                mark = {"grade_id": name, "grade": False, "solution": True, "locked": False, "task": False,
                        "schema_version": SCHEMA_VERSION}
                nb.cells.append(new_code_cell(id=f"put-back-{name}", metadata={"nbgrader": mark}))
        return nb, resources


class HideHiddenTests(ClearHiddenTests):
    """Feedback says what a hidden test found, not how it looked.

    Removes the hidden lines from graded cells. Of their outputs only the error's sentence stays,
    with the frames in the student's own cells: the rest of a traceback quotes the test, and what
    a student's function printed would show what it was called with.
    """

    display_data_priority = List(config=True)  # nbconvert hands it to every step of an HTML export

    def preprocess_cell(self, cell, resources, cell_index):
        if cell.cell_type != "code" or not is_grade(cell):
            return cell, resources
        hidden = self._remove_hidden_test_region(cell)
        if hidden:
            cell.outputs = [output for output in cell.outputs if output.output_type == "error"]
        own = re.compile(rf"Cell In\[{cell.execution_count}\]")
        for output in cell.outputs:
            if output.output_type == "error":
                frames = [frame for frame in output.traceback
                          if COLOUR.sub("", frame).startswith("Cell In[") and not own.match(COLOUR.sub("", frame))]
                output.traceback = [*frames, f"{output.ename}: {output.evalue}"]
        return cell, resources

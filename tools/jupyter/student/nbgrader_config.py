# What the Validate button and `nbgrader validate` go by, and what they show.

from nbconvert.preprocessors import Preprocessor
from nbgrader.preprocessors import IgnorePattern
from nbgrader.utils import compute_checksum
from nbgrader.validator import Validator

c = get_config()  # noqa: F821 (given by the reader of this file)


class SayWhy(Preprocessor):
    """Of a test that failed, its name and its sentence are shown, not its source and the way there.

    nbgrader shows the whole cell first, and what went wrong at the end of a traceback below it. Other
    errors keep theirs: it leads to the line in the answer.
    """

    def preprocess_cell(self, cell, resources, index):
        for output in cell.get("outputs", []):
            if output.output_type == "error" and output.ename == "AssertionError":
                output.traceback = [f"AssertionError: {output.evalue}"]
                graded = cell.metadata.get("nbgrader", {})
                unchanged = graded.get("checksum") == compute_checksum(cell)
                cell.source = cell.source.strip().rpartition("\n")[2]
                if unchanged:  # and is not to look changed to nbgrader, which compares after this
                    graded["checksum"] = compute_checksum(cell)
        return cell, resources


c.Execute.timeout = 30  # seconds a cell, as in grading; without it an endless loop never ends
# As in grading, a test that only warns has passed. nbgrader keeps the list of its steps to itself.
Validator.preprocessors.tag(config=True)
c.Validator.preprocessors = [*Validator.preprocessors.default(), IgnorePattern, SayWhy]
c.IgnorePattern.enabled = True
c.IgnorePattern.pattern = "(?s)."

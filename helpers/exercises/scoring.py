"""What became of an exercise's tests: the points that each gives, and what it says of them."""

import math

from nbformat.v4 import new_output
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import determine_grade, is_grade

from helpers.exercises.execution import ENDED, STUCK

NO_POINTS = "NoPoints"
OURS = ("AssertionError", ENDED, STUCK, NO_POINTS)  # errors whose sentence is the test's or grading's
PARTIAL = "Partial credit:"  # how the line begins that a test prints last when it gives part of its points


class CountPoints(NbGraderPreprocessor):
    """The value of a test cell is its points, whatever it is; nbgrader goes by it only if it is one it expects.

    An error is no points, and no value is all of them. A finite number counts, from 0 to all of the
    points; anything else is an error. What was changed is noted in the value's metadata.
    """

    def preprocess_cell(self, cell, resources, cell_index):
        if cell.cell_type != "code" or not is_grade(cell):
            return cell, resources
        values = [output for output in cell.outputs if output.output_type == "execute_result"]
        errors = [output for output in cell.outputs if output.output_type == "error"]
        if values and not errors:
            value = number(values[0]) if len(values) == 1 else math.nan
            if math.isfinite(value):
                counts = min(max(value, 0.0), float(cell.metadata.nbgrader["points"]))
                if counts != value:
                    values[0].metadata["counts"] = f"its value {value:g} counts as {counts:g}"
                values[0].data = {"text/plain": f"{counts:g}"}
            else:
                sentence = "The value of this test is not one finite number, so it counts 0 points."
                errors.append(new_output("error", ename=NO_POINTS, evalue=sentence, traceback=[f"{NO_POINTS}: {sentence}"]))
        # nbgrader goes by the first of them that it meets.
        cell.outputs = errors + [output for output in cell.outputs if output.output_type != "error"]
        return cell, resources


def number(output) -> float:
    """The number that an output says; not a number for anything else."""
    try:
        return float(output.data["text/plain"])
    except (KeyError, ValueError):
        return math.nan


def message(outputs: list) -> str:
    """What a test says of the points it gives in part: its last printed line, if that begins as it should."""
    printed = "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")
    last = printed.rstrip().rpartition("\n")[2]
    return last if last.startswith(PARTIAL) else ""


def verdict(cell) -> str:
    """What became of a graded cell, in its own words."""
    score, points = cell.metadata.nbgrader.score, cell.metadata.nbgrader.points
    if cell.cell_type != "code" or (counted := determine_grade(cell)[0]) is None:
        return "Marked by hand."
    errors = [output for output in cell.outputs if output.output_type == "error"]
    if any(error.ename == STUCK for error in errors):  # also recorded as an interruption
        errors = [error for error in errors if error.ename == STUCK]
    sentences = [error.evalue if error.evalue and error.ename in OURS
                 else f"{error.ename}: {error.evalue}".removesuffix(": ") for error in errors]
    if not errors:
        values = [output for output in cell.outputs if output.output_type == "execute_result"]
        sentences = [message(cell.outputs) or "Part of the points."] if values and number(values[0]) < points else ["passed"]
    if counted != score:
        sentences.append("The points were changed by hand.")
    return "\n".join(sentences)

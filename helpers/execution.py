"""How an exercise's notebook is run, by its student and in grading: to its end, whatever a cell does to
the kernel; and what became of its tests.
"""

import atexit
import copy
import functools
import math
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from jupyter_client.manager import AsyncKernelManager
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from nbgrader.utils import determine_grade, is_grade

ENDED = "KernelDied"
STUCK = "CellTimeoutError"  # nbgrader's name for a cell that was interrupted after its time
NO_POINTS = "NoPoints"
OURS = ("AssertionError", ENDED, STUCK, NO_POINTS)  # errors whose sentence is the test's or grading's
PARTIAL = "Partial credit:"  # how the line begins that a test prints last when it gives part of its points
SPARE_KERNELS = 3  # beyond one for each graded cell


# -- What a kernel finds around it -----------------------------------------------------------


def surroundings(profile: str) -> dict[str, str]:
    """The environment of a kernel with an IPython folder of its own.

    It sees nobody's start-up files, and shows its pictures whatever backend the user draws with.
    One thread, because several would only wait for each other, and sums would depend on how many there are.
    """
    own = ("PYTHONSTARTUP", "MPLBACKEND")
    return {name: value for name, value in os.environ.items() if name not in own} | {
        "IPYTHONDIR": profile, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive",
    }  # fmt: skip


@functools.cache
def channels() -> dict[str, str]:
    """Sockets in a folder of this process's own, where the system has them: TCP ports are open to
    everyone on the machine, and two kernels that start together can choose the same one.
    """
    if os.name != "posix":
        return {}
    folder = tempfile.mkdtemp(prefix="kernel-", dir="/tmp")  # short: a socket's path has about 100 characters
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return {"transport": "ipc", "ip": str(Path(folder) / "channel")}


# -- Running ---------------------------------------------------------------------------------


class RunToTheEnd(Execute):
    """nbgrader's step that runs the cells, and goes on in another kernel where a cell ends one.

    The cell that did it gets an error that says so. In the new kernel, what came before it is run
    again without being recorded, except for the graded cells, which leave nothing for others, and
    for cells that end kernels. Then it goes on. Cells keep the numbers they have in one go.
    """

    def preprocess(self, nb, resources=None, km=None):
        self._skipped = {index for index, cell in enumerate(nb.cells) if is_grade(cell)}  # in a new kernel
        self._kernels_left = len(self._skipped) + SPARE_KERNELS
        too_long = _error(STUCK, f"This cell took more than {self.timeout} seconds, and was interrupted.")
        self.error_on_timeout = {name: too_long[name] for name in ("ename", "evalue", "traceback")}
        return super().preprocess(nb, resources, km)

    def preprocess_cell(self, cell, resources, index):
        if cell.cell_type == "code" and cell.source.strip() and not self._kernels_left:
            cell.outputs = [_error(ENDED, "This cell was not run: too many cells before it had ended the kernel.")]
            return cell, resources
        try:
            return super().preprocess_cell(cell, resources, index)
        except DeadKernelError:
            cell.outputs.append(_error(ENDED, "This cell ended the kernel: it called exit, crashed, or took too much memory."))
        except CellTimeoutError:
            cell.outputs.append(_error(STUCK, f"This cell took more than {self.timeout} seconds, and could not be interrupted."))
        # The kernel may have ended before it could say so.
        cell.execution_count = sum(cell.cell_type == "code" and bool(cell.source.strip()) for cell in self.nb.cells[: index + 1])
        self._skipped.add(index)
        self._go_on_after(index)
        return cell, resources

    def _go_on_after(self, last: int) -> None:
        """Bring a new kernel to where the cell `last` would have left it."""
        while True:
            self._kernels_left -= 1
            if not self._kernels_left:
                return
            self._cleanup_kernel()
            self.create_kernel_manager()
            self.start_new_kernel()
            self.start_new_kernel_client()
            self._display_id_map = {}  # what was shown stays as it was
            ended = next((index for index in range(last + 1) if not self._again(index)), None)
            if ended is None:
                return
            self._skipped.add(ended)

    def _again(self, index: int) -> bool:
        """Run a cell again, unrecorded; return whether the kernel is still there."""
        recorded = self.nb.cells[index]
        cell = copy.deepcopy(recorded)
        if index in self._skipped and cell.source.strip():
            cell.source = "pass"  # it is counted all the same
        try:
            self.execute_cell(cell, index)
        except (DeadKernelError, CellTimeoutError):
            return False
        finally:
            self.nb.cells[index] = recorded
        return True


def _error(name: str, sentence: str) -> NotebookNode:
    return new_output("error", ename=name, evalue=sentence, traceback=[f"{name}: {sentence}"])


# -- Scoring ---------------------------------------------------------------------------------


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


def found(cell) -> str:
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

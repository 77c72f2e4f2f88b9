"""How an exercise's notebook is run, by its student and in grading: to its end, whatever a cell does to the kernel."""

import atexit
import copy
import functools
import os
import shutil
import tempfile
from pathlib import Path

from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import Execute
from nbgrader.utils import is_grade
from traitlets import List

ENDED = "KernelDied"
STUCK = "CellTimeoutError"  # nbgrader's name for a cell that was interrupted after its time
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

    # The way to an error, in Python's own form: IPython's takes longer than all else that a failing test
    # does, and seconds for a function that calls itself without end.
    extra_arguments = List(["--InteractiveShell.xmode=Plain"]).tag(config=True)

    def preprocess(self, nb, resources=None, km=None):
        self._skipped = {index for index, cell in enumerate(nb.cells) if is_grade(cell)}  # in a new kernel
        self._kernels_left = len(self._skipped) + SPARE_KERNELS
        return super().preprocess(nb, resources, km)

    def preprocess_cell(self, cell, resources, index):
        if cell.cell_type == "code" and cell.source.strip() and not self._kernels_left:
            cell.outputs = [_error(ENDED, "This cell was not run: too many cells before it had ended the kernel.")]
            return cell, resources
        too_long = _error(STUCK, f"This cell took more than {self.timeout} seconds, and was interrupted.")
        self.error_on_timeout = {name: too_long[name] for name in ("ename", "evalue", "traceback")}
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

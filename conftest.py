"""How notebooks are run in the tests: alone, steadily, with their pictures, and never waiting for a dead kernel.

nbval (set up in pyproject.toml) starts one kernel per notebook and compares every text. What is
added here holds for each pytest process, its workers and the kernels they start.
"""

import math
import os
import shutil
import signal
import tempfile
import time
import uuid
from pathlib import Path
from queue import Empty

import nbval.plugin
import pictures
import pytest
from jupyter_client.manager import KernelManager
from nbval.kernel import RunningKernel
from nbval.plugin import IPyNbCell

# One thread a process: the workers share the cores, and waiting threads leave them to the other.
os.environ.update(OMP_NUM_THREADS="1", OMP_WAIT_POLICY="passive")
# Progress bars tell times, which nobody can compare.
os.environ["TQDM_DISABLE"] = "1"
# Text that depends on the order of a set is a fault of the notebook. A seed would hide it.
os.environ["PYTHONHASHSEED"] = "random"
# Kernels draw inline, as in JupyterLab, and come from this environment.
for name in ("MPLBACKEND", "JUPYTER_PATH", "JUPYTER_CONFIG_PATH"):
    os.environ.pop(name, None)


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    # pyproject.toml asks for workers; with `-p no:xdist` there are none to ask for.
    if not pluginmanager.hasplugin("xdist"):
        for option in ("--numprocesses", "--dist"):
            parser.addoption(option, help="not in use without xdist")
        parser.addoption("--no-loadscope-reorder", action="store_true", help="not in use without xdist")


def pytest_configure(config: pytest.Config) -> None:
    # Start-up files, settings, history and kernels of the user's own stay out: an empty room
    # instead. Its path is short, because a socket's path must not exceed about 100 characters.
    room = Path(tempfile.mkdtemp(prefix="nb-"))
    config.add_cleanup(lambda: shutil.rmtree(room, ignore_errors=True))
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        (room / name).mkdir()
        os.environ[name] = str(room / name)
    # In a test, a picture needs no window.
    os.environ["MATPLOTLIBRC"] = str(room / "matplotlibrc")
    (room / "matplotlibrc").write_text("backend: agg\n")
    WatchedKernel.room = room
    nbval.plugin.RunningKernel = WatchedKernel
    IPyNbCell.compare_outputs = compare_with_pictures


compare_texts = IPyNbCell.compare_outputs


def compare_with_pictures(cell: IPyNbCell, test: list, ref: list, skip_compare: tuple | None = None) -> bool:
    """nbval's comparison, and that of the cell's pictures, which differ as its text would."""
    same = compare_texts(cell, test, ref, skip_compare)
    kept = cell.config.rootpath / "build" / "pictures" / f"{cell.path.stem}-{cell.cell.id}"
    faults = pictures.faults(ref, test, kept)
    cell.comparison_traceback += faults
    return same and not faults


class KernelDied(RuntimeError):
    """Says how a kernel ended and the last thing it wrote."""


class WatchedKernel(RunningKernel):
    """nbval's kernel, on sockets instead of ports, and noticed within a second when it dies.

    nbval waits for a dead kernel's answer as long as a cell may take. Ports are chosen before
    they are bound, so two kernels that start together can choose the same one.
    """

    room: Path

    def __init__(self, kernel_name: str, cwd: str | None = None, startup_timeout: float = 60):
        name = uuid.uuid4().hex[:8]
        self.stderr = self.room / f"{name}.stderr"
        self.km = KernelManager(
            kernel_name=kernel_name, transport="ipc", ip=str(self.room / name)
        )
        with self.stderr.open("wb") as stderr:
            self.km.start_kernel(cwd=cwd, stderr=stderr)
        self.kc = self.km.client()
        self.kc.start_channels()
        try:
            self.kc.wait_for_ready(timeout=startup_timeout)
            self._ensure_iopub_up()
        except RuntimeError as error:
            raise self._died() from error

    def get_message(self, stream: str, timeout: float | None = None) -> dict:
        end = time.monotonic() + (math.inf if timeout is None else timeout)
        while True:
            left = end - time.monotonic()
            try:
                return super().get_message(stream, timeout=max(0.0, min(1.0, left)))
            except Empty:
                if not self.is_alive():
                    raise self._died() from None
                if left <= 1.0:
                    raise

    def run(self, source: str, timeout: float) -> dict:
        """Runs one cell and returns the kernel's reply: its status, and the error if there was one."""
        msg_id = self.execute_cell_input(source, allow_stdin=False)
        while True:
            try:
                reply = self.get_message("shell", timeout)
            except Empty:
                raise TimeoutError(f"no answer within {timeout} s to this cell:\n{source}") from None
            if reply["parent_header"].get("msg_id") == msg_id:
                return reply["content"]

    def _died(self) -> KernelDied:
        status = self.km.provisioner.process.poll()
        if status is None:
            how = "it gave no answer"
        elif status < 0:
            how = f"signal {signal.Signals(-status).name}"
        else:
            how = f"exit status {status}"
        last = self.stderr.read_text(errors="replace").strip().splitlines()[-1:]
        self.stop()
        return KernelDied(
            f"The kernel died ({how}), so this cell has no result. "
            f"The last line it wrote: {last[0] if last else 'none'}."
        )


@pytest.fixture
def start_kernel():
    """Starts kernels that are stopped when the test ends."""
    started = []

    def start(folder: Path) -> WatchedKernel:
        started.append(WatchedKernel("python3", cwd=str(folder)))
        return started[-1]

    yield start
    for kernel in started:
        if kernel.is_alive():
            kernel.stop()

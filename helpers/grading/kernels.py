"""What the kernel that runs a hand-in finds around it, and how it is spoken to."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

_profile = None


def prepare(**_):
    """Called by nbgrader before each hand-in (`Autograde.pre_convert_hook`).

    Each hand-in gets an empty IPython folder of its own: it sees neither the instructor's
    profile, nor what the hand-in before it may have left in one. One thread, because several
    would only wait for each other, and sums would depend on how many there are.
    """
    global _profile
    _profile = tempfile.TemporaryDirectory(prefix="ipython-")  # the one before is removed here
    os.environ.update(IPYTHONDIR=_profile.name, OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", OMP_WAIT_POLICY="passive")
    os.environ.pop("PYTHONSTARTUP", None)


def channels() -> dict[str, str]:
    """Sockets in a folder of this process's own, where the system has them: TCP ports are open to
    everyone on the machine, and two kernels that start together can choose the same one.
    """
    if os.name != "posix":
        return {}
    folder = tempfile.mkdtemp(prefix="kernel-", dir="/tmp")  # short: a socket's path has about 100 characters
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return {"transport": "ipc", "ip": str(Path(folder) / "channel")}

"""Kernels for hand-ins: each finds an empty room, and they start fast."""

import atexit
import functools
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from queue import Empty
from uuid import uuid4

from jupyter_client.asynchronous import AsyncKernelClient
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning import LocalProvisioner

from helpers.exercises.execution import RunToTheEnd, surroundings

_profile = None


def prepare(**_):
    """Called by nbgrader before each hand-in (`Autograde.pre_convert_hook`): its kernels find nothing
    that the one before it may have left.
    """
    global _profile
    _profile = tempfile.TemporaryDirectory(prefix="ipython-")  # the one before is removed here
    around = surroundings(_profile.name)
    os.environ.clear()
    os.environ.update(around)


# -- Kernels forked from a process that has torch imported already: see mother.py --------------


@functools.cache
def can_fork() -> bool:
    """Whether this system has what it takes: Linux, since 2019, unless a sandbox denies it."""
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return False
    return True


class Mother:
    """The process that forks kernels; ends with this one."""

    def __init__(self, python: list[str], environment: dict[str, str]):
        self.grader = os.getpid()
        self.socket, other = socket.socketpair()
        with other:
            command = [*python, str(Path(__file__).with_name("mother.py")), str(other.fileno())]
            self.process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL,
                                            pass_fds=[other.fileno()], start_new_session=True)
        atexit.register(self.leave)

    def leave(self) -> None:
        if self.grader == os.getpid():
            self.socket.close()
            self.process.wait()

    def fork(self, arguments: list[str], folder: str, environment: dict[str, str]) -> "ForkedKernel":
        order = {"arguments": arguments, "folder": folder, "environment": environment}
        self.socket.sendall(json.dumps(order).encode() + b"\n")
        pid, ended, *_ = socket.recv_fds(self.socket, 16, 1)
        if not ended:
            raise ConnectionError("the process that forks kernels has ended")
        return ForkedKernel(int(pid), ended[0])


class ForkedKernel:
    """A kernel that the mother started: as much of `subprocess.Popen` as a provisioner uses."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int, ended: int):
        self.pid, self._ended = pid, ended

    def __del__(self):
        os.close(self._ended)

    def wait(self, timeout: float | None = None) -> int | None:
        return 0 if select.select([self._ended], [], [], timeout)[0] else None

    def poll(self) -> int | None:
        return self.wait(0)

    def send_signal(self, signum: int) -> None:
        signal.pidfd_send_signal(self._ended, signum)


class ForkingProvisioner(LocalProvisioner):
    """Forks ipykernels of this Python, and starts whatever else is asked for in jupyter_client's own way."""

    mother: Mother | None = None  # of this process, whatever the provisioner

    async def launch_kernel(self, cmd, **kwargs):
        if cmd[0] == sys.executable and "ipykernel_launcher" in cmd:
            launcher, cls = cmd.index("ipykernel_launcher"), ForkingProvisioner
            folder = os.path.abspath(kwargs.get("cwd") or ".")
            try:
                if cls.mother is None or cls.mother.grader != os.getpid():
                    cls.mother = Mother(cmd[: launcher - 1], kwargs["env"])
                self.process = cls.mother.fork(cmd[launcher + 1 :], folder, kwargs["env"])
            except OSError:
                cls.mother = None  # the next kernel tries anew
            else:
                self.pid = self.pgid = self.process.pid
                self.cwd = folder
                return self.connection_info
        return await super().launch_kernel(cmd, **kwargs)

    async def kill(self, restart: bool = False):
        await super().kill(restart)
        if self.process:
            self.process.wait(timeout=1)  # it takes milliseconds; jupyter_client looks every tenth of a second


class QuickClient(AsyncKernelClient):
    """Goes on as soon as the kernel answers; jupyter_client waits until it has been silent for a while."""

    async def wait_for_ready(self, timeout=None):
        deadline = time.monotonic() + (timeout or float("inf"))
        while time.monotonic() < deadline:
            self.kernel_info()
            try:
                await self.get_shell_msg(timeout=1)
                await self.get_iopub_msg(timeout=1)  # its output is heard too
                return
            except Empty:
                if not await self.is_alive():
                    raise RuntimeError("Kernel died before replying to kernel_info") from None
        raise RuntimeError(f"Kernel didn't respond in {timeout} seconds")


class ForkingKernelManager(AsyncKernelManager):
    """Starts and speaks to kernels as above, where the system can do it."""

    def __init__(self, **settings):
        super().__init__(**settings)
        if can_fork():
            self.kernel_id = str(uuid4())
            self.provisioner = ForkingProvisioner(kernel_id=self.kernel_id, kernel_spec=self.kernel_spec, parent=self)
            self.client_factory = QuickClient


class RunForked(RunToTheEnd):
    """nbgrader's step that runs the cells, on kernels that start fast."""

    def __init__(self, **settings):
        settings.setdefault("kernel_manager_class", ForkingKernelManager)
        super().__init__(**settings)

"""The mother of kernels: `python mother.py FD` has imported what hand-ins import, and computed nothing.

Starting Python and importing torch takes most of the time that grading a hand-in takes. Forked
from here, a kernel has that behind it, and is otherwise what `python -m ipykernel_launcher` is:
its own session, folder, environment, and random numbers that nobody has drawn from yet. The
course's own `helpers` are not among the imports: they take no time, and may be edited meanwhile.

On the socket FD, a line of JSON (`arguments`, `folder`, `environment`) asks for a kernel. The answer
is its process id, with a descriptor that becomes readable when it has ended. When the kernel
ends, so does what it started; when the other end of the socket closes, everything does.
"""

import gc
import importlib
import json
import os
import select
import signal
import socket
import sys

# As Python was called with this file, its folder comes first; the modules here are not for kernels.
sys.path[:] = [path for path in sys.path if path != os.path.dirname(os.path.abspath(__file__))]
os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")  # as a kernel does
os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # or the debugger talks; the kernels' environment is their own

import torch  # noqa: E402
from ipykernel import kernelapp  # noqa: E402

AHEAD = (
    "ipykernel.debugger", "ipykernel.ipkernel", "ipykernel.zmqshell", "psutil",  # the kernel itself, a moment later
    "matplotlib.pyplot", "jaxtyping",  # cells and `helpers`; not yet the backend, which looks for the kernel's shell
    "torch.fx.experimental.symbolic_shapes",  # PyTorch, with half a second's worth of others, for its first gradient
)  # fmt: skip
for name in AHEAD:
    importlib.import_module(name)


def kernel(mother: int, arguments: list[str], folder: str, environment: dict[str, str]) -> None:
    """What a forked process does: be a kernel until it is told to end."""
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    torch.default_generator.seed()  # two processes do not draw the same numbers
    sys.argv = ["ipykernel_launcher", *arguments]
    kernelapp.launch_new_instance(parent_handle=mother)


def end(pid: int) -> None:
    """Collect a kernel that has ended; until then nobody else can get its id, nor its group's."""
    try:
        os.killpg(pid, signal.SIGKILL)  # what it started
    except ProcessLookupError:  # it ended before it had a group
        pass
    os.waitpid(pid, 0)


def main(orders: socket.socket) -> None:
    if len(os.listdir("/proc/self/task")) > 1:
        return  # a fork has only the thread that forked, which the other threads' locks may outlive
    mother, kernels = os.getpid(), {}  # descriptor → process id
    gc.freeze()  # what is here stays, so that no kernel has to look through it
    lines = orders.makefile("r")
    while True:
        readable, _, _ = select.select([orders, *kernels], [], [])
        for ended in kernels.keys() & set(readable):
            end(kernels.pop(ended))
            os.close(ended)
        if orders not in readable:
            continue
        line = lines.readline()
        if not line:
            break
        pid = os.fork()
        if not pid:
            lines.close()
            orders.close()
            for other in kernels:
                os.close(other)
            return kernel(mother, **json.loads(line))
        ended = os.pidfd_open(pid)
        kernels[ended] = pid
        socket.send_fds(orders, [str(pid).encode()], [ended])

    for pid in kernels.values():
        os.kill(pid, signal.SIGKILL)
        end(pid)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))

"""Runs notebooks from a fresh kernel and records what they print and draw: `make notebooks`.

Without arguments all lessons and solutions, else the notebooks named. A notebook is written only
when it ran to its end, and holds nothing but what a second run would write again: no times, no
versions, no traces of an editor.
"""

import os
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
# A cell's metadata that somebody chose; what Jupyter and editors add to it is left out.
CHOSEN = ("deletable", "editable", "nbgrader", "tags")


def tidy(notebook):
    """Takes out of a notebook what differs from run to run, and what is nobody's choice."""
    notebook.metadata = nbformat.from_dict(NOTEBOOK_METADATA)
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({key: cell.metadata[key] for key in CHOSEN if key in cell.metadata})


def record(path):
    """Executes and writes one notebook."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        timeout=600,  # seconds a cell
        coalesce_streams=True,  # a cell's text in one piece, however it arrived
    )
    # Also spares the kernel's warning that what passes between it and us could be overheard.
    client.create_kernel_manager().transport_encryption = "auto"
    client.execute()
    tidy(notebook)
    nbformat.validate(notebook)
    text = nbformat.writes(notebook) + "\n"
    if text != path.read_text(encoding="utf-8"):
        path.write_text(text, encoding="utf-8")
        return "recorded"
    return "as it was"


def try_to_record(path):
    """Records one notebook and says how that went; the problem, if there was one, on stderr."""
    name = os.path.relpath(path, ROOT)
    try:
        print(f"{name}: {record(path)}", flush=True)
        return True
    except OSError as error:
        problem = f"cannot be read or written ({error.strerror})"
    except nbformat.reader.NotJSONError:
        problem = "is not a notebook"
    except CellTimeoutError:
        problem = "left as it was, for a cell took longer than ten minutes"
    except DeadKernelError:
        problem = "left as it was, for its kernel died"
    except CellExecutionError as error:
        problem = f"left as it was, for a cell failed\n{error}"
    print(f"{name}: {problem}", file=sys.stderr)
    return False


def main(names):
    paths = [Path(name).resolve() for name in names]
    paths = paths or sorted([*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("solutions/*/*.ipynb")])
    with tempfile.TemporaryDirectory() as room:
        # One thread, no progress bars, and neither start-up files nor kernels of the user's own: as
        # in the tests, where the outputs are compared.
        os.environ.update(OMP_NUM_THREADS="1", OMP_WAIT_POLICY="passive", TQDM_DISABLE="1")
        os.environ.update(IPYTHONDIR=room, JUPYTER_CONFIG_DIR=room, JUPYTER_DATA_DIR=room)
        for name in ("MPLBACKEND", "JUPYTER_PATH", "JUPYTER_CONFIG_PATH"):
            os.environ.pop(name, None)
        return 0 if all([try_to_record(path) for path in paths]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""tools/record.py, as `make notebooks` runs it, on notebooks of a few cells."""

import json
import subprocess
import sys
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook, new_output

ROOT = Path(__file__).resolve().parents[1]


def record(*paths: Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-W", "error", ROOT / "tools/record.py", *paths], capture_output=True, text=True, timeout=120
    )


def notebook(path: Path, *sources: str) -> Path:
    """A notebook as an editor leaves it: outputs of another run, counts out of order, times."""
    cells = [
        new_code_cell(
            source, id=f"cell-{i}", execution_count=7 - i, outputs=[new_output("stream", text="old\n")],
            metadata={"tags": ["kept"], "nbgrader": {"grade_id": "kept"}, "execution": {"iopub.execute_input": "12:00"}},
        )
        for i, source in enumerate(sources)
    ]
    written = new_notebook(cells=cells, metadata={"language_info": {"name": "python", "version": "3.11.7"}})
    written.metadata["kernelspec"] = {"name": "somebodys", "display_name": "Somebody's", "language": "python"}
    nbformat.write(written, path)
    return path


def test_a_notebook_is_recorded_from_a_fresh_kernel_and_a_second_run_changes_nothing(tmp_path):
    path = notebook(
        tmp_path / "a notebook.ipynb",
        "import sys, time\nprint('one', flush=True); time.sleep(0.3); print('two')",
        "6 * 7",
    )
    first = record(path)
    assert (first.returncode, first.stderr) == (0, ""), first.stderr
    recorded = json.loads(path.read_text())
    counts = [cell["execution_count"] for cell in recorded["cells"]]
    assert counts == [1, 2], f"counts {counts}, expected 1, 2"
    assert recorded["cells"][0]["outputs"] == [{"name": "stdout", "output_type": "stream", "text": ["one\n", "two\n"]}], (
        "a cell's text is recorded in one piece, however it arrived"
    )
    assert recorded["cells"][1]["outputs"][0]["data"] == {"text/plain": ["42"]}
    assert [cell["id"] for cell in recorded["cells"]] == ["cell-0", "cell-1"]
    for cell in recorded["cells"]:
        assert cell["metadata"] == {"tags": ["kept"], "nbgrader": {"grade_id": "kept"}}, cell["metadata"]
    assert recorded["metadata"] == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }

    before = path.read_bytes()
    assert record(path).stdout.endswith("as it was\n")
    assert path.read_bytes() == before, "a second run should write the same bytes"


def test_a_notebook_that_does_not_run_to_its_end_is_left_as_it_was_and_named(tmp_path):
    fails = notebook(tmp_path / "fails.ipynb", "1 / 0", "print('not reached')")
    dies = notebook(tmp_path / "dies.ipynb", "import os; os._exit(1)")
    (tmp_path / "junk.ipynb").write_text("no notebook")
    before = fails.read_bytes(), dies.read_bytes()
    result = record(fails, dies, tmp_path / "junk.ipynb", tmp_path / "missing.ipynb")
    assert result.returncode == 1
    assert (fails.read_bytes(), dies.read_bytes()) == before
    for problem in (
        "fails.ipynb: left as it was, for a cell failed",
        "ZeroDivisionError",
        "dies.ipynb: left as it was, for its kernel died",
        "junk.ipynb: is not a notebook",
        "missing.ipynb: cannot be read or written (No such file or directory)",
    ):
        assert problem in result.stderr, f"{problem!r} expected in:\n{result.stderr}"

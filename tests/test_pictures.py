"""A picture that changed is seen, whatever changed in it; one that was drawn again is not."""

import base64
import copy
import functools
import io
import re
from pathlib import Path
from unittest import mock

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pictures
import pytest
from matplotlib.figure import Figure
from nbformat import NotebookNode
from nbformat.v4 import new_output
from PIL import Image

from helpers import plots

ROOT = Path(__file__).resolve().parents[1]
ALT = "Left, weights of three queries; right, two curves that cross."
WEIGHTS = np.array([[0.32, 0.41, 0.27], [0.10, 0.85, 0.05], [0.21, 0.29, 0.50]])


def shown(fig: Figure, alt: str = ALT, **further) -> list[NotebookNode]:
    """A cell's outputs after `plots.show`, as a kernel sends them."""
    with mock.patch.object(plots, "display") as display:
        plots.show(fig, alt, **further)
    (data,), sent = display.call_args
    data["image/png"] = base64.b64encode(data["image/png"]).decode()
    return [new_output("display_data", data=data, metadata=nbformat.from_dict(sent["metadata"]))]


def drawn(*, weights=WEIGHTS, size=(3.8, 1.8), swap=False, curves=("sine", "line"), colours=("query", "output"),
          legend=True, off=0.0) -> Figure:
    """A heat map with its numbers and a picture of curves; `off` is added to every value of a curve."""
    plots.use_style()
    fig, (left, right) = plt.subplots(1, 2, figsize=size)
    plots.heatmap(weights, ax=left, title="weights")
    x = np.linspace(0, 3, 31)
    for name, role in zip(("sine", "line"), colours):
        y = (np.sin(x) if name == "sine" else x / 3) + off
        if name in curves:
            right.plot(*((y, x) if swap else (x, y)), color=plots.COLOURS[role], label=name)
    right.set(xlabel="angle", ylabel="height", title="curves")
    if legend:
        right.legend()
    return fig


def recorded() -> list[NotebookNode]:
    return copy.deepcopy(_recorded())


@functools.cache
def _recorded() -> list[NotebookNode]:
    return shown(drawn())


def changed(weights: np.ndarray, row: int, column: int, value: float) -> np.ndarray:
    weights = weights.copy()
    weights[row, column] = value
    return weights


def cropped(fig: Figure) -> Figure:
    """The same figure at the same scale, with a strip of its right side cut away."""
    fig.canvas.draw()
    fig.set_layout_engine("none")
    width, height = fig.get_size_inches()
    for ax in fig.axes:
        box = ax.get_position()
        ax.set_position([box.x0 * width / (width - 0.3), box.y0, box.width * width / (width - 0.3), box.height])
    fig.set_size_inches(width - 0.3, height)
    return fig


DRAWN_OTHERWISE = {
    "an axis swapped": lambda: drawn(swap=True),
    "a curve dropped": lambda: drawn(curves=("sine",)),
    "colours permuted": lambda: drawn(colours=("output", "query")),
    "a value changed": lambda: drawn(weights=changed(WEIGHTS, 0, 0, 0.33)),
    "other data": lambda: drawn(weights=WEIGHTS[::-1]),
    "the legend missing": lambda: drawn(legend=False),
    "blank": lambda: plt.figure(figsize=(3.8, 1.8)),
    "cropped": lambda: cropped(drawn()),
    "another size": lambda: drawn(size=(3.6, 1.8)),
}


@pytest.mark.parametrize("change", DRAWN_OTHERWISE)
def test_a_picture_drawn_otherwise_is_seen_and_kept_with_the_difference(change, tmp_path):
    found = pictures.faults(recorded(), shown(DRAWN_OTHERWISE[change]()), tmp_path / "cell")
    assert found, f"{change}: nothing was noticed"
    kept = {path.name for path in tmp_path.iterdir()}
    assert kept == {f"cell-{which}.png" for which in ("recorded", "redrawn", "difference")}, kept
    assert str(tmp_path / "cell-difference.png") in found[-1], f"{found} does not say where to look"


@pytest.mark.parametrize("off", [0.0, 1e-6, 1e-4])
def test_a_picture_whose_lines_are_smoothed_otherwise_is_the_same(off, tmp_path):
    found = pictures.faults(recorded(), shown(drawn(off=off)), tmp_path / "cell")
    assert not found, found
    assert not any(tmp_path.iterdir()), "nothing is kept where nothing differs"


def test_a_recorded_picture_changed_by_hand_is_seen(tmp_path):
    """Ten by four pixels painted white, in a corner of a number."""
    was, now = recorded(), recorded()
    picture = Image.open(io.BytesIO(base64.b64decode(was[0].data["image/png"]))).convert("RGB")
    dark = np.argwhere(np.asarray(picture).sum(axis=2) < 150)
    row, column = map(int, dark[len(dark) // 2])
    picture.paste("white", (column - 5, row - 2, column + 5, row + 2))
    was[0].data["image/png"] = as_png(picture)
    found = pictures.faults(was, now, tmp_path / "cell")
    assert re.fullmatch(r"\d+ pixels of the picture differ", found[0]), found


def as_png(picture: Image.Image) -> str:
    written = io.BytesIO()
    picture.save(written, format="png")
    return base64.b64encode(written.getvalue()).decode()


def without_alt(output: NotebookNode) -> NotebookNode:
    del output.metadata["image/png"]["alt"]
    return output


@pytest.mark.parametrize("spoil, said", [
    (lambda was, now: (was, [without_alt(now[0])]), "the drawn picture has no alt text"),
    (lambda was, now: ([without_alt(was[0])], now), "the recorded picture has no alt text"),
    (lambda was, now: (was, []), "1 pictures are recorded and 0 are drawn"),
    (lambda was, now: ([], now), "0 pictures are recorded and 1 are drawn"),
    (lambda was, now: (was, now * 2), "1 pictures are recorded and 2 are drawn"),
    (lambda was, now: ([now[0] | {"data": {"image/png": "bm8gcGljdHVyZQ=="}}], now), "cannot be read"),
])  # fmt: skip
def test_a_missing_picture_or_alt_text_is_named(spoil, said, tmp_path):
    found = pictures.faults(*spoil(recorded(), recorded()), tmp_path / "cell")
    assert any(said in fault for fault in found), f"{said!r} expected, got {found}"


def test_of_several_pictures_the_one_that_differs_is_kept(tmp_path):
    was, now = recorded() + recorded(), recorded() + shown(drawn(legend=False))
    assert "cell-2-difference.png" in pictures.faults(was, now, tmp_path / "cell")[-1]
    assert {path.name.rsplit("-", 1)[0] for path in tmp_path.iterdir()} == {"cell-2"}


# --- Pictures of measured times ----------------------------------------------------------------


def times(heights=(1.0, 2.1, 3.9), *, labels=("explicit", "tiled"), swap=False, colours=("weight", "output"),
          legend=True, lengths=(64, 128, 256), size=(3.8, 1.8), unit="milliseconds", memory=(2.0, 8.0, 32.0)) -> Figure:
    """Left, counted memory; right, measured times: two curves, of which the second is twice the first."""
    plots.use_style()
    fig, (left, right) = plt.subplots(1, 2, figsize=size)
    left.plot(lengths, memory, label="most held")
    left.set(xlabel="length", ylabel="MiB")
    for factor, (label, role) in enumerate(zip(labels, colours), start=1):
        y = factor * np.array(heights)
        right.loglog(*((y, lengths) if swap else (lengths, y)), color=plots.COLOURS[role], label=label)
    right.set(xlabel="length", ylabel=unit, title="times")
    if legend:
        right.legend()
    return fig


def taken(fig: Figure, **further) -> list[NotebookNode]:
    return shown(fig, measured=fig.axes[1:], **further)


def recorded_times() -> list[NotebookNode]:
    return copy.deepcopy(_recorded_times())


@functools.cache
def _recorded_times() -> list[NotebookNode]:
    return taken(times())


MEASURED_OTHERWISE = {
    "an axis swapped": lambda: times(swap=True),
    "a curve dropped": lambda: times(labels=("explicit",)),
    "colours permuted": lambda: times(colours=("output", "weight")),
    "a counted value changed": lambda: times(memory=(2.0, 8.0, 33.0)),
    "other lengths": lambda: times(lengths=(64, 128, 512)),
    "the legend missing": lambda: times(legend=False),
    "another unit": lambda: times(unit="seconds"),
    "another size": lambda: times(size=(3.6, 1.8)),
    "blank": lambda: plt.subplots(1, 2, figsize=(3.8, 1.8))[0],
}


@pytest.mark.parametrize("change", MEASURED_OTHERWISE)
def test_a_picture_of_times_is_compared_in_axes_curves_and_labels(change, tmp_path):
    found = pictures.faults(recorded_times(), taken(MEASURED_OTHERWISE[change]()), tmp_path / "cell")
    assert found, f"{change}: nothing was noticed"
    assert len([*tmp_path.iterdir()]) == 3, "the two pictures and their difference should be kept"


def test_a_picture_of_other_times_is_the_same(tmp_path):
    found = pictures.faults(recorded_times(), taken(times((3.0, 8.0, 700.0))), tmp_path / "cell")
    assert not found, found


def test_a_picture_of_times_says_if_it_was_changed_afterwards_or_is_not_one_any_more(tmp_path):
    was = recorded_times()
    blank = Image.new("RGB", (550, 242), "white")
    painted = [was[0] | {"data": {**was[0].data, "image/png": as_png(blank)}}]
    found = pictures.faults(painted, recorded_times(), tmp_path / "cell")
    assert "the recorded picture is not the one that was drawn: it was changed afterwards" in found, found
    assert pictures.faults(was, shown(times()), tmp_path / "cell"), "that heights are measured must not be forgotten"


def test_what_is_not_a_curve_cannot_be_shown_as_measured():
    fig = drawn()
    with pytest.raises(ValueError, match="measured pictures are of curves alone, got AxesImage"):
        shown(fig, measured=fig.axes)


# --- The lessons -------------------------------------------------------------------------------


def recorded_pictures() -> dict[str, NotebookNode]:
    return {
        f"{path.stem} {cell.id}": output
        for path in sorted(ROOT.glob("notebooks/*.ipynb"))
        for cell in nbformat.read(path, as_version=4).cells
        for output in cell.get("outputs", ())
        if "image/png" in output.get("data", {})
    }


def test_every_recorded_picture_can_be_read_and_equals_itself(tmp_path):
    found = recorded_pictures()
    assert len(found) >= 60, f"the lessons hold more than {len(found)} pictures"
    for name, output in found.items():
        assert not pictures.faults([output], [output], tmp_path / "same"), name
        assert output.metadata["image/png"].get("drawn") is None or "time" in name, f"{name} is shown as measured"

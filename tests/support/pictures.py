"""A picture drawn again, compared with the recorded one.

nbval compares text and lets every picture through. Here pixelmatch tells a difference that a reader
sees from the edges of lines and letters, which two machines may smooth a little differently. A picture
with measured times is another one each time: `plots.show` records beside it what has to stay (axes,
curves, labels), and that is compared instead.
"""

import base64
import hashlib
import io
import json
from collections.abc import Sequence
from difflib import unified_diff
from pathlib import Path

from nbformat import NotebookNode
from PIL import Image, UnidentifiedImageError
from pixelmatch.contrib.PIL import pixelmatch

# How far a pixel may be off, on pixelmatch's scale from 0 to 1. A line that moves by a fiftieth of a
# pixel stays within; the smallest changed digit has some pixels beyond.
TOLERANCE = 0.1


def faults(recorded: Sequence[NotebookNode], redrawn: Sequence[NotebookNode], kept: Path) -> list[str]:
    """What is wrong with the pictures among a cell's outputs; none if they are as recorded.

    Args:
        recorded: the cell's outputs in the notebook.
        redrawn: its outputs now.
        kept: where the two pictures and their difference are saved if they differ:
            `kept`-recorded.png, `kept`-redrawn.png, `kept`-difference.png.
    """
    was, now = ([output for output in outputs if "image/png" in output.get("data", {})] for outputs in (recorded, redrawn))
    if len(was) != len(now):
        return [f"{len(was)} pictures are recorded and {len(now)} are drawn: one is missing, or new"]
    found = []
    for number, (one, other) in enumerate(zip(was, now)):
        place = kept if len(was) == 1 else kept.with_name(f"{kept.name}-{number + 1}")
        found += _faults(one, other, place)
    return found


def _faults(recorded: NotebookNode, redrawn: NotebookNode, kept: Path) -> list[str]:
    told, tells = (output["metadata"].get("image/png", {}) for output in (recorded, redrawn))
    found = []
    for which, about in (("recorded", told), ("drawn", tells)):
        if not about.get("alt", "").strip():
            found.append(f"the {which} picture has no alt text")
    if told.get("alt") != tells.get("alt"):
        found.append(f"the alt text is {tells.get('alt')!r} and was {told.get('alt')!r}")
    try:
        pictures = [_picture(output) for output in (recorded, redrawn)]
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        return [*found, f"a picture cannot be read: {error}"]
    if _bytes(recorded) == _bytes(redrawn) and told == tells:
        return found
    pixels, difference = _difference(*pictures)
    seen = []
    if pictures[0].size != pictures[1].size:
        seen.append(f"the picture is {_size(pictures[1])} and was {_size(pictures[0])}")
    if "drawn" in told or "drawn" in tells:
        seen += _measured_faults(recorded, told, tells)
    elif pixels and not seen:
        seen.append(f"{pixels} pixels of the picture differ")
    if seen:
        kept.parent.mkdir(parents=True, exist_ok=True)
        for name, picture in (("recorded", pictures[0]), ("redrawn", pictures[1]), ("difference", difference)):
            picture.save(kept.with_name(f"{kept.name}-{name}.png"))
        seen.append(f"see {kept}-difference.png")
    return found + seen


def _picture(output: NotebookNode) -> Image.Image:
    return Image.open(io.BytesIO(_bytes(output))).convert("RGBA")


def _bytes(output: NotebookNode) -> bytes:
    return base64.b64decode(output["data"]["image/png"])


def _difference(recorded: Image.Image, redrawn: Image.Image) -> tuple[int, Image.Image]:
    """How many pixels differ, and a picture where these are red, and yellow the edges smoothed otherwise."""
    size = tuple(map(max, recorded.size, redrawn.size))
    padded = [Image.new("RGBA", size, "white") for _ in range(2)]
    for canvas, picture in zip(padded, (recorded, redrawn)):
        canvas.paste(picture)
    difference = Image.new("RGBA", size)
    return pixelmatch(*padded, difference, threshold=TOLERANCE), difference


def _measured_faults(recorded: NotebookNode, told: dict, tells: dict) -> list[str]:
    found = []
    if told.get("drawn") != tells.get("drawn"):
        lines = (json.dumps(about.get("drawn"), indent=1, ensure_ascii=False).splitlines() for about in (told, tells))
        found.append("\n".join(unified_diff(*lines, "recorded", "drawn", lineterm="", n=0)))
    # Its heights are measured, so no second drawing says whether this is the picture that was drawn.
    if told.get("sha256") != hashlib.sha256(_bytes(recorded)).hexdigest():
        found.append("the recorded picture is not the one that was drawn: it was changed afterwards")
    return found


def _size(picture: Image.Image) -> str:
    return "{} × {} pixels".format(*picture.size)

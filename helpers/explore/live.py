"""The live side of `play`: ipywidgets, and a picture that is drawn anew when one of them changes."""

import base64
import html
import io
from collections.abc import Callable, Mapping

import ipywidgets as widgets
import matplotlib.pyplot as plt
import traitlets

from helpers import plots
from helpers.explore.controls import Cells, Choice, Control, Picture, Switch, Words


def panel(draw: Callable[..., Picture], controls: Mapping[str, Control], values: Mapping) -> widgets.VBox:
    """Controls above, the picture below; arguments as in `play`.

    A change replaces the picture as a whole, once the new one is drawn: nothing flickers. What `draw`
    refuses is said in its place, and takes the same room: nothing jumps.

    Raises:
        ValueError: what a `Choice` offers cannot be told from the other values.
    """
    picture = widgets.HTML()
    boxes = {name: _box(control, values[name], values) for name, control in controls.items()}
    last = ""

    def redraw(_=None) -> None:
        nonlocal last
        values = {name: box.value for name, box in boxes.items()}
        try:
            for name, control in controls.items():
                if isinstance(control, Choice) and callable(control.options):
                    options = _named(control, values)
                    boxes[name].unobserve(redraw, "value")  # one change, one picture
                    values[name] = _offer(boxes[name], options)
                    boxes[name].observe(redraw, "value")
            last = _image(*_drawn(draw, values))
            picture.value = last
        except ValueError as refusal:
            said = f'<p role="alert" style="position: absolute">{html.escape(str(refusal))}</p>'
            picture.value = f'{said}<div style="visibility: hidden">{last}</div>'

    for box in boxes.values():
        box.observe(redraw, "value")
    redraw()
    tables = [box for box in boxes.values() if isinstance(box, _Table)]
    others = widgets.Box([box for box in boxes.values() if box not in tables])
    others.layout = widgets.Layout(flex_flow="row wrap", flex="1 1 26em", align_content="flex-start")
    above = widgets.Box([others, *tables], layout=widgets.Layout(flex_flow="row wrap"))
    return widgets.VBox([above, picture])


def _drawn(draw: Callable[..., Picture], values: Mapping) -> tuple[bytes, str]:
    """The picture as PNG, and its text; no figure stays open, not even one begun in vain."""
    before, png = plt.get_fignums(), io.BytesIO()
    try:
        fig, alt = draw(**values)
        fig.savefig(png, format="png", dpi=plots.DPI, facecolor="white")
    finally:
        for number in set(plt.get_fignums()) - set(before):
            plt.close(number)
    return png.getvalue(), alt


def _image(png: bytes, alt: str) -> str:
    data = base64.b64encode(png).decode()
    return f'<img src="data:image/png;base64,{data}" alt="{html.escape(alt)}" style="max-width: 100%">'


def _named(choice: Choice, values: Mapping) -> tuple[tuple[str, object], ...]:
    """What a slider offers, given the other values: names and values."""
    return tuple((choice.shown(option), option) for option in choice.allowed(values))


def _offer(slider: widgets.SelectionSlider, options: tuple[tuple[str, object], ...]) -> object:
    """Change what a slider offers; it stays where it is, or goes to the end if that is gone."""
    if slider.options != options:
        before, offered = slider.value, [value for _, value in options]
        slider.options = options
        slider.value = before if before in offered else offered[-1]
    return slider.value


def _box(control: Control, value: object, values: Mapping) -> widgets.Widget:
    """The widget for a control."""
    look = {
        "description": control.label,
        "tooltip": control.label,
        "style": {"description_width": "9em"},
        "layout": widgets.Layout(width="25em"),
    }
    match control:
        case Choice():
            return widgets.SelectionSlider(options=_named(control, values), value=value, **look)
        case Switch():
            return widgets.Checkbox(value=value, **look)
        case Words():
            return widgets.Text(value=value, continuous_update=False, **look)
        case Cells():
            return _Table(control, value)


class _Table(widgets.VBox):
    """A button for each cell; the value is the cells whose buttons are down."""

    value = traitlets.Tuple()

    def __init__(self, cells: Cells, value: tuple):
        low, square = (widgets.Layout(width=width, height="1.8em", margin="1px") for width in (None, "3.2em"))
        grid = [widgets.Label(name, layout=low) for name in ("", *cells.columns)]
        self._buttons = {}
        for i, row in enumerate(cells.rows):
            grid.append(widgets.Label(row, layout=low))
            for j, column in enumerate(cells.columns):
                button = widgets.ToggleButton((i, j) in value, tooltip=f"{row} → {column}", layout=square)
                button.observe(self._collect, "value")
                grid.append(button)
                self._buttons[i, j] = button
        columns = widgets.Layout(grid_template_columns=f"repeat({len(cells.columns) + 1}, max-content)")
        table = widgets.GridBox(grid, layout=columns)
        super().__init__([widgets.Label(cells.label), table], value=value)

    def _collect(self, _) -> None:
        self.value = tuple(cell for cell, button in self._buttons.items() if button.value)

"""The shared pictures: what is drawn is what was given, and every picture has its text."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from matplotlib.colors import to_rgb
from oracles import assert_refused

from helpers import causal_mask, plots


@pytest.fixture(autouse=True)
def course_style():
    plots.use_style()
    yield
    plt.close("all")


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_a_heat_map_shows_rows_downwards_and_the_numbers_given():
    matrix = torch.tensor([[0.1, 0.2, 0.7], [1.0, 0.0, 0.0]])
    ax = plots.heatmap(matrix, title="weights")
    np.testing.assert_allclose(ax.images[0].get_array(), matrix, atol=1e-7)
    assert texts(ax) == ["0.10", "0.20", "0.70", "1.00", "0.00", "0.00"]
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("keys", "queries", "weights")
    assert ax.yaxis_inverted(), "query 0 belongs at the top"


def test_a_heat_map_of_both_signs_is_symmetric_about_zero():
    ax = plots.heatmap([[-1.0, 3.0]], decimals=0)
    assert ax.images[0].get_clim() == (-3.0, 3.0)
    assert texts(ax) == ["−1", "3"]


def test_minus_infinity_and_half_precision_can_be_drawn():
    ax = plots.heatmap(torch.tensor([[-torch.inf, 1.0]], dtype=torch.bfloat16), decimals=1)
    assert texts(ax) == ["−∞", "1.0"]


def test_numbers_are_legible_on_every_shade():
    """Contrast of at least 4.5 to 1 (WCAG 2, AA) between each number and its cell."""

    def luminance(colour):
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
        return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))

    for role in plots.COLOURS:
        ax = plots.heatmap(np.linspace(0, 1, 21)[None], role=role)
        image = ax.images[0]
        for value, text in zip(image.get_array()[0], ax.texts):
            shades = sorted([luminance(image.cmap(image.norm(value))[:3]), luminance(text.get_color())])
            contrast = (shades[1] + 0.05) / (shades[0] + 0.05)
            assert contrast >= 4.5, f"{role}, value {value:.2f}: contrast {contrast:.1f}"


def test_a_mask_map_ticks_exactly_the_allowed_pairs():
    mask = causal_mask(4)
    ax = plots.mask_map(mask)
    ticked = {(int(text.get_position()[1]), int(text.get_position()[0])) for text in ax.texts}
    assert ticked == {tuple(pair) for pair in mask.nonzero().tolist()}


def test_a_picture_is_shown_once_as_png_with_its_text_and_then_closed(monkeypatch):
    shown = []
    monkeypatch.setattr(plots, "display", lambda *args, **options: shown.append((args, options)))
    fig = plots.heatmap([[1.0]]).figure
    plots.show(fig, alt="One cell of weight 1.")
    [((data,), options)] = shown
    assert data["image/png"].startswith(b"\x89PNG")
    assert data["text/plain"] == "One cell of weight 1."
    assert options == {"metadata": {"image/png": {"alt": "One cell of weight 1."}}, "raw": True}
    assert not plt.fignum_exists(fig.number)


REFUSED = {
    "no text": (lambda: plots.show(plt.figure(), alt="  "), "'  '"),
    "not a matrix": (lambda: plots.heatmap(torch.zeros(2, 3, 4)), "(2, 3, 4)"),
    "empty": (lambda: plots.heatmap(torch.zeros(0, 3)), "(0, 3)"),
    "unknown role": (lambda: plots.heatmap([[1.0]], role="quary"), "quary"),
    "mask of numbers": (lambda: plots.mask_map(np.ones((2, 2))), "float64"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_and_named(name):
    assert_refused(*REFUSED[name])

"""What there is to play with: a picture like any other until the reader asks for controls, then one
that follows them, refuses in words, and leaves nothing behind."""

import base64
import html
import io
import re
import subprocess
import sys
from itertools import product

import ipywidgets
import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from oracles import assert_refused, assert_same
from PIL import Image
from torch.distributions import Categorical

from helpers import EncoderDecoder, explore, plots, record_weights
from helpers.attention import attention_weights
from helpers.data import BOS, EOS, PAD, NumberTranslation
from helpers.explore import controls
from helpers.explore.controls import Cells, Choice, Switch, Words, play
from helpers.explore.decoding import draw_step, translate
from helpers.explore.live import panel
from helpers.explore.masks import T, build, draw_masks, layers_needed
from helpers.explore.softmax import WIDTHS, draw_softmax

DATA = NumberTranslation(highest=100, n_held_out=10)


@pytest.fixture(autouse=True)
def no_figure_left():
    plots.use_style()
    before = plt.get_fignums()
    yield
    left = set(plt.get_fignums()) - set(before)
    plt.close("all")
    assert not left, f"figures left open: {left}; something has to close what was drawn"


@pytest.fixture
def model():
    torch.manual_seed(0)
    sizes = dict(d_model=16, n_heads=2, n_layers=2, d_ff=16, max_seq_len=32)
    return EncoderDecoder(len(DATA.english), len(DATA.french), **sizes).double().eval()


@pytest.fixture
def shown(monkeypatch):
    """What was shown, statically and live: pairs of the thing and its metadata."""
    things = []
    keep = lambda thing, metadata=None, raw=False: things.append((thing, metadata))  # noqa: E731
    monkeypatch.setattr(plots, "display", keep)
    monkeypatch.setattr(controls, "display", keep)
    return things


def explorables(model):
    return {
        "softmax": lambda **options: explore.softmax(d_k=8, S=5, **options),
        "masks": lambda **options: explore.masks(window=2, **options),
        "decoding": lambda **options: explore.decoding(model, DATA, source=7, step=2, **options),
    }


def every_widget(box):
    yield box
    for child in getattr(box, "children", ()):
        yield from every_widget(child)


def control(live, name):
    """The control with this label or, for a button of a table, this tooltip."""
    labels = {getattr(widget, "description", "") or widget.tooltip: widget for widget in every_widget(live)}
    return labels[name]


def picture_of(live):
    return live.children[-1].value


def texts_of(live):
    """The alternative text in sight, and the sentence in its place."""
    value = picture_of(live)
    hidden = "visibility: hidden" in value
    alt, said = re.search('alt="(.*?)"', value), re.search("<p role=.alert.[^>]*>(.*?)</p>", value)
    return (html.unescape(alt[1]) if alt and not hidden else None), (html.unescape(said[1]) if said else None)


def pixels(png):
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(float)


# ---- static and live


def test_neither_helpers_nor_a_static_picture_waits_for_ipywidgets():
    asks = (
        "import sys, helpers; print('matplotlib' in sys.modules)\n"
        "from helpers import explore; print('ipywidgets' in sys.modules)\n"
    )
    said = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["False", "False"], f"imported early, matplotlib and ipywidgets: {said.split()}"


@pytest.mark.parametrize("name", explorables(None))
def test_static_is_one_picture_with_its_text_and_no_widget(name, model, shown, monkeypatch, capsys):
    for module in ("ipywidgets", "helpers.explore.live"):
        monkeypatch.setitem(sys.modules, module, None)  # as if it were not installed
    explorables(model)[name]()
    [(data, metadata)] = shown
    assert data.keys() == {"image/png", "text/plain"}
    assert metadata == {"image/png": {"alt": data["text/plain"]}} and len(data["text/plain"]) > 50
    assert capsys.readouterr() == ("", ""), "a recorded cell shows the picture and prints nothing"


@pytest.mark.parametrize("name", explorables(None))
def test_live_begins_with_the_same_picture_under_its_controls(name, model, shown):
    explorables(model)[name]()
    explorables(model)[name](live=True)
    (static, _), (live, _) = shown
    assert isinstance(live, ipywidgets.Widget)
    assert texts_of(live) == (static["text/plain"], None)
    png = base64.b64decode(re.search("base64,(.*?)\"", picture_of(live))[1])
    difference = np.abs(pixels(png) - pixels(static["image/png"])).mean()
    assert difference < 2, f"mean difference of a pixel {difference:.1f}: more than 256 colours explain"


def test_a_changed_control_draws_anew_and_the_way_back_leads_to_the_first_picture(shown):
    explore.softmax(True, d_k=8, S=5)
    [(live, _)] = shown
    first = picture_of(live)
    control(live, "d_k").value = 64
    fig, alt = draw_softmax(d_k=64, exponent=0.5, S=5, spread=1.0, draw=0)
    plt.close(fig)
    assert texts_of(live) == (alt, None)
    assert picture_of(live) != first
    control(live, "d_k").value = 8
    assert picture_of(live) == first


def test_a_refused_combination_says_so_and_the_next_one_is_drawn(shown):
    explore.masks(True, window=1)
    [(live, _)] = shown
    first = picture_of(live)
    control(live, "padding").value = 2
    alt, said = texts_of(live)
    assert alt is None
    assert said.startswith("every query needs at least one key") and "row (5,)" in said, said
    control(live, "padding").value = 0
    assert picture_of(live) == first


def test_without_controls_a_refused_combination_is_an_error(shown):
    assert_refused(lambda: explore.masks(window=1, padding=2), "row (5,)")
    assert shown == []


def test_a_button_of_the_table_flips_its_cell(shown):
    explore.masks(True)
    [(live, _)] = shown
    control(live, "the → slept").value = True
    fig, alt = draw_masks(causal=True, window=5, prefix=0, padding=0, flipped=((0, 5),), layers=1)
    plt.close(fig)
    assert texts_of(live) == (alt, None)
    assert "the 0 sees 0 5;" in alt


def test_a_button_may_be_down_from_the_start(shown):
    explore.masks(True, flipped=((0, 5),))
    [(live, _)] = shown
    assert control(live, "the → slept").value
    control(live, "the → slept").value = False
    assert "the 0 sees 0;" in texts_of(live)[0]


DEPENDENT = {"words": Words("words"), "place": Choice("place", lambda values: range(len(values["words"])))}


def test_a_slider_whose_range_depends_on_another_control_follows_it_and_draws_once():
    drawn = []

    def draw(words, place):
        drawn.append((words, place))
        return plt.figure(), f"{words}: {words[place]}"

    live = panel(draw, DEPENDENT, {"words": "abcdef", "place": 4})
    control(live, "words").value = "xyz"
    assert drawn == [("abcdef", 4), ("xyz", 2)], "once for each change, at the end if the place is gone"
    assert [value for _, value in control(live, "place").options] == [0, 1, 2]
    control(live, "words").value = "uvwxyz"
    assert drawn[2:] == [("uvwxyz", 2)], "where it was, if that is still there"
    control(live, "place").value = 5
    assert drawn[3:] == [("uvwxyz", 5)]


def test_a_range_that_cannot_be_had_is_a_sentence_too_and_is_got_over():
    def places(values):
        if not values["words"].isalpha():
            raise ValueError(f"words must be letters, got <{values['words']}>")
        return range(len(values["words"]))

    controls = DEPENDENT | {"place": Choice("place", places)}
    draw = lambda words, place: (plt.figure(), words[place])  # noqa: E731
    live = panel(draw, controls, {"words": "abc", "place": 1})
    for word in ("1", "2"):
        control(live, "words").value = word
        assert texts_of(live) == (None, f"words must be letters, got <{word}>")
        assert f"<{word}>" not in picture_of(live), "text, not HTML"
    control(live, "words").value = "xyz"
    assert texts_of(live) == ("y", None)
    control(live, "place").value = 2
    assert texts_of(live) == ("z", None)


def test_a_figure_begun_in_vain_is_closed_and_the_reader_s_own_stay_open():
    def draw(on):
        plt.figure()
        if on:
            raise ValueError("not that")
        return plt.gcf(), "off"

    own = plt.figure()
    live = panel(draw, {"on": Switch("on")}, {"on": False})
    control(live, "on").value = True
    assert texts_of(live) == (None, "not that")
    assert plt.get_fignums() == [own.number]
    plt.close(own)


# ---- softmax


def drawn_softmax(**options):
    values = dict(d_k=64, exponent=0.5, S=10, spread=1.0, draw=0) | options
    fig, alt = draw_softmax(**values)
    plt.close(fig)
    return *fig.axes, alt


@pytest.mark.parametrize(("exponent", "peak"), [(0, 0.9297), (0.5, 0.3075)])
def test_the_first_draw_is_the_query_of_the_lesson(exponent, peak):
    left, right, alt = drawn_softmax(exponent=exponent)
    heights = [bar.get_height() for bar in left.patches]
    assert heights[0] == pytest.approx(peak, abs=5e-5)
    assert heights == sorted(heights, reverse=True) and sum(heights) == pytest.approx(1)
    assert right.lines[1].get_xydata()[0] == pytest.approx([64, heights[0]])
    assert f"the peak is {peak:.2f}" in alt


def test_the_number_of_keys_is_the_exponential_of_the_entropy():
    rng = np.random.default_rng(0)
    raw = torch.from_numpy(rng.standard_normal(64) @ rng.standard_normal((10, 64)).T)
    for exponent, spread in ((0, 0.5), (0.25, 1), (1, 2)):
        left, *_ = drawn_softmax(exponent=exponent, spread=spread)
        entropy = Categorical(logits=raw * spread**2 / 64**exponent).entropy()
        assert f"= {entropy.exp():.1f} keys" in left.get_title()


def test_the_curve_is_the_median_peak_of_draws_with_scores_scaled_as_asked():
    _, right, _ = drawn_softmax(exponent=0.75, S=5, spread=2)
    curve = dict(right.lines[0].get_xydata())
    assert list(curve) == WIDTHS
    for d_k in (4, 256):
        rng, peaks = np.random.default_rng(0), []
        for _ in range(100):
            q, K = 2 * rng.standard_normal(d_k), 2 * rng.standard_normal((5, d_k))
            peaks.append(torch.from_numpy(K @ q / d_k**0.75).softmax(0).max().item())
        assert curve[d_k] == pytest.approx(np.median(peaks)), f"at width {d_k}"


# ---- masks


def rule_by_rule(causal, window, prefix, padding, flipped):
    """Entry by entry, in words."""
    mask = torch.zeros(T, T, dtype=torch.bool)
    for i, j in product(range(T), range(T)):
        seen = (j < prefix or abs(i - j) <= window and not (causal and j > i)) and j < T - padding
        mask[i, j] = seen != ((i, j) in flipped)
    return mask


@pytest.mark.parametrize("causal", [True, False])
def test_every_combination_of_rules_means_what_it_says(causal):
    for window, prefix, padding, flipped in product(range(T), range(T + 1), range(T), ((), ((0, 5), (3, 1)))):
        rules = (causal, window, prefix, padding, flipped)
        assert torch.equal(build(*rules), rule_by_rule(*rules)), rules


def chain_length(mask, i, j):
    """The fewest looks from i to j, one after the other: breadth first."""
    reached, looks = {i}, 0
    for looks in range(1, T + 1):
        reached = {k for l in reached for k in range(T) if mask[l, k]}  # noqa: E741
        if j in reached:
            return looks
    return None


def test_the_layers_needed_are_the_shortest_chain_of_looks():
    for rules in ((True, 1, 0, 0, ()), (False, 1, 0, 2, ((5, 5),)), (True, 5, 0, 0, ((0, 5), (2, 2)))):
        mask = build(*rules)
        for layers in (1, 2, T):
            needed = layers_needed(mask, layers)
            for i, j in product(range(T), range(T)):
                chain = chain_length(mask, i, j)
                expected = chain if chain is not None and chain <= layers else 0
                assert needed[i, j] == expected, f"{rules}, {layers} layers, query {i}, key {j}"


def test_who_reaches_whom_is_where_the_gradient_through_that_many_layers_is_not_zero():
    mask = build(True, 1, 1, 0, ((1, 4),))  # every word sees itself, so nothing is lost on the way
    torch.manual_seed(0)
    for layers in (1, 2, 3):
        x = torch.randn(T, 8, dtype=torch.double, requires_grad=True)
        output = x
        for _ in range(layers):
            output = attention_weights(output, output, mask) @ output
        rows = [torch.autograd.grad(output[i].sum(), x, retain_graph=True)[0] for i in range(T)]
        influence = torch.stack([row.abs().amax(dim=1) for row in rows]) > 0
        assert torch.equal(layers_needed(mask, layers) > 0, influence), f"{layers} layers"


def test_the_mask_picture_ticks_the_mask_and_numbers_the_layers():
    fig, alt = draw_masks(causal=True, window=1, prefix=0, padding=1, flipped=(), layers=3)
    plt.close(fig)
    left, right = fig.axes
    mask = build(True, 1, 0, 1, ())
    written = [
        {(text.get_position()[1], text.get_position()[0]): text.get_text() for text in ax.texts} for ax in (left, right)
    ]
    assert written[0].keys() == {tuple(pair) for pair in mask.nonzero().tolist()}
    assert written[1][4, 1] == "3" and written[1][5, 2] == "3" and (5, 1) not in written[1]
    assert [label.get_text() for label in left.get_xticklabels()][-2:] == ["and", "pad"]
    assert "10 of 36" in left.get_title() and "within 3 layers" in right.get_title()
    assert "pad 5 sees 4." in alt


# ---- decoding


def test_a_step_is_what_one_gets_by_writing_word_by_word(model):
    steps = translate(model, DATA, "Forty-seven")
    source = torch.tensor([[*DATA.english.encode(["forty", "seven"]), EOS]])
    tokens = [BOS]
    for step, word in enumerate(steps.written):
        with record_weights(model) as recorded, torch.no_grad():
            logits = model(source, torch.tensor([tokens]))[0, -1]
        logits[PAD] = -torch.inf  # never chosen; it keeps its probability
        tokens.append(logits.argmax().item())
        assert DATA.french.words[tokens[-1]] == word, f"step {step + 1}"
        for layer in (0, 1):
            weights = recorded[f"blocks.{layer}.cross_attention"][0, :, -1]
            assert_same(steps.weights[layer][:, step], weights, 1e-10, f"weights, step {step + 1}, layer {layer}")
    assert steps.read == ["forty", "seven", "<eos>"]
    with torch.no_grad():
        expected = model(source, torch.tensor([tokens[:-1]]))[0].softmax(-1)
    assert_same(steps.probabilities, expected, 1e-10, "probabilities")


def test_digits_and_words_are_the_same_source(model):
    assert translate(model, DATA, " 47 ").written == translate(model, DATA, "forty seven").written


def test_the_step_picture_shows_the_likeliest_words_and_every_head(model):
    steps = translate(model, DATA, "47")
    fig, alt = draw_step(steps, DATA.french.words, step=3, layer=0)
    plt.close(fig)
    left, right = fig.axes
    probabilities = sorted(steps.probabilities[2].tolist(), reverse=True)[:5]
    np.testing.assert_allclose([bar.get_width() for bar in left.patches], probabilities)
    for label, probability in zip([label.get_text() for label in left.get_yticklabels()], probabilities):
        token = DATA.french.words.index(label)
        assert steps.probabilities[2, token].item() == pytest.approx(probability), label
        assert f"{label} {probability:.2f}" in alt
    heads = steps.weights[0][:, 2]
    np.testing.assert_allclose(right.images[0].get_array(), [*heads, heads.mean(0)], atol=1e-6)
    assert [label.get_text() for label in right.get_xticklabels()] == ["forty", "seven", "<eos>"]
    assert [label.get_text() for label in right.get_yticklabels()] == ["head 0", "head 1", "mean"]
    so_far = " ".join(["<bos>", *steps.written[:2]])
    assert f"{so_far} → {steps.written[2]}" in fig.get_suptitle() and f"Written so far: {so_far}." in alt


def test_stepping_on_writes_each_phrase_once(model, shown):
    calls = []
    model.encoder.register_forward_hook(lambda *_: calls.append(1))
    explore.decoding(model, DATA, True, source="seven")
    [(live, _)] = shown
    written = len(calls)
    control(live, "step").value = 2
    control(live, "layer (from 0)").value = 0
    assert len(calls) == written, "a step or a layer further is a look at what was kept"
    control(live, "number or words").value = "seven won"
    assert "got 'won'" in texts_of(live)[1]
    control(live, "number or words").value = "eight"
    assert "for eight <eos>" in texts_of(live)[0]


# ---- refusals

ON = {"on": Switch("on")}
CELLS = {"cells": Cells("cells", "ab", "abc")}
REFUSED = {
    "d_k that is no power of two": (lambda m: explore.softmax(d_k=48), "48"),
    "d_k that is no number": (lambda m: explore.softmax(d_k=True), "True"),
    "exponent": (lambda m: explore.softmax(exponent=2), "exponent must be one of 0, 0.25, 0.5, 0.75, 1, got 2"),
    "number of keys": (lambda m: explore.softmax(S=11), "S must be one of"),
    "draw": (lambda m: explore.softmax(draw=10), "10"),
    "refused live too": (lambda m: explore.softmax(True, d_k=48), "48"),
    "window": (lambda m: explore.masks(window=6), "window must be one of 0, 1, 2, 3, 4, 5, got 6"),
    "causal": (lambda m: explore.masks(causal=1), "causal must be True or False, got 1"),
    "a cell outside": (lambda m: explore.masks(flipped=((0, 6),)), "((0, 6),)"),
    "cells in a list": (lambda m: play(None, CELLS, {"cells": [(0, 1)]}), "[(0, 1)]"),
    "a cell, not cells": (lambda m: play(None, CELLS, {"cells": (0, 1)}), "(0, 1)"),
    "step": (lambda m: explore.decoding(m, DATA, step=99), "step must be one of"),
    "layer": (lambda m: explore.decoding(m, DATA, layer=2), "layer must be one of 0, 1, got 2"),
    "word": (lambda m: explore.decoding(m, DATA, source="sept"), "'sept'"),
    "no word": (lambda m: explore.decoding(m, DATA, source=" "), "' '"),
    "a model in training": (lambda m: explore.decoding(m.train(), DATA), "evaluation mode"),
    "a value too many": (lambda m: play(None, ON, {"on": True, "off": True}), "['on', 'off']"),
    "text": (lambda m: play(None, DEPENDENT, {"words": 7, "place": 0}), "words must be text, got 7"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused_and_named(name, model, shown):
    attempt, named = REFUSED[name]
    assert_refused(lambda: attempt(model), named)
    assert shown == []

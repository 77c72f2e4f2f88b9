"""Stepping through a translation: what has been written, what may come next, and where it looks."""

from functools import lru_cache
from typing import NamedTuple

import matplotlib.pyplot as plt
import torch
from jaxtyping import Float
from torch import Tensor

from helpers import plots
from helpers.data import BOS, EOS, PAD, NumberTranslation, number_words
from helpers.encoder_decoder import EncoderDecoder
from helpers.explore.controls import Choice, Picture, Words, play
from helpers.generation import greedy
from helpers.multi_head import record_weights

CAP = 16  # tokens, BOS included: the longest number below 10,000 needs 10


class Steps(NamedTuple):
    """A greedy translation, step by step."""

    read: list[str]
    written: list[str]
    probabilities: Float[Tensor, "T vocab_size"]
    """Of the next token, at each step."""

    weights: list[Float[Tensor, "h T S"]]
    """Of the cross-attention, an entry for each layer."""


def decoding(
    model: EncoderDecoder,
    data: NumberTranslation,
    live: bool = False,
    *,
    source: str | int = 97,
    step: int = 1,
    layer: int | None = None,
) -> None:
    """One step of a translation: the likeliest next words, and the weights of the cross-attention.

    Args:
        model: the translator, in evaluation mode.
        data: the vocabularies it was trained with.
        live: whether with controls; the arguments below say where they begin.
        source: a number, or English number words.
        step: which token is being written, counted from 1; the last is EOS.
        layer: of the decoder, counted from 0; None is the last.

    Raises:
        ValueError: the source has a word that is not in the vocabulary or is none at all, there is no
            such step or layer, or the model is in training mode.
    """

    @lru_cache(maxsize=32)
    def steps(source: str) -> Steps:
        return translate(model, data, source)

    controls = {
        "source": Words("number or words"),
        "step": Choice("step", lambda values: range(1, len(steps(values["source"]).written) + 1)),
        "layer": Choice("layer (from 0)", range(len(model.blocks))),
    }
    layer = len(model.blocks) - 1 if layer is None else layer
    values = dict(source=str(source), step=step, layer=layer)
    play(lambda source, **at: draw_step(steps(source), data.french.words, **at), controls, values, live)


@torch.no_grad()
def translate(model: EncoderDecoder, data: NumberTranslation, source: str) -> Steps:
    """Write greedily, then pass over what was written once more, all steps at once.

    Raises:
        ValueError: source is empty, has a word that is not in the vocabulary or is a number that has no
            words, or the model is in training mode.
    """
    words = source.lower().replace("-", " ").split()
    if len(words) == 1 and words[0].isdecimal():
        words = number_words(int(words[0]), "en")
    if not words:
        raise ValueError(f"source must be a number or English number words, got {source!r}")
    tokens = torch.tensor([[*data.english.encode(words), EOS]])
    decode, begin = model.given(tokens), torch.tensor([[BOS]])
    written = greedy(decode, begin, eos=EOS, pad=PAD, max_length=CAP).tokens
    with record_weights(model) as recorded:
        logits = decode(written[:, :-1])[0]  # (1, T, vocab_size) → (T, vocab_size)
    weights = [recorded[f"blocks.{i}.cross_attention"][0] for i in range(len(model.blocks))]
    names = [data.french.words[token] for token in written[0, 1:].tolist()]
    return Steps([*words, "<eos>"], names, logits.softmax(dim=-1), weights)


def draw_step(steps: Steps, vocabulary: list[str], step: int, layer: int) -> Picture:
    """Left the five likeliest next words; right the weights of each head, and their mean."""
    top = steps.probabilities[step - 1].topk(min(5, len(vocabulary)))
    probabilities, likeliest = top.values.tolist(), [vocabulary[token] for token in top.indices.tolist()]
    heads = steps.weights[layer][:, step - 1]            # (h, T, S) → (h, S)
    mean = heads.mean(dim=0)

    fig, (left, right) = plt.subplots(1, 2, figsize=(9.4, 3.7), width_ratios=(1, 2.2))
    bars = left.barh(likeliest, probabilities, color=plots.COLOURS["output"])
    left.bar_label(bars, [f"{p:.2f}" for p in probabilities], padding=3)
    left.set(title="next word", xlabel="probability", xlim=(0, 1.25), xticks=(0, 0.5, 1))
    left.invert_yaxis()
    left.grid(axis="y", visible=False)
    rows = [f"head {head}" for head in range(len(heads))] + ["mean"]
    plots.heatmap(
        torch.cat([heads, mean[None]]), ax=right, vmax=1, title=f"where it looks: layer {layer} (from 0)",
        xlabel="word read", xticklabels=steps.read, ylabel="", yticklabels=rows,
    )
    right.set_aspect("auto")
    right.axhline(len(heads) - 0.5, color="black", linewidth=1)
    so_far = " ".join(["<bos>", *steps.written[: step - 1]])
    fig.suptitle(f"step {step} of {len(steps.written)}:   {so_far} → {steps.written[step - 1]}")
    most = mean.argmax().item()
    return fig, (
        f"Step {step} of {len(steps.written)} for {' '.join(steps.read)}. Written so far: {so_far}. The "
        "likeliest next words: "
        + ", ".join(f"{word} {p:.2f}" for word, p in zip(likeliest, probabilities))
        + f". Cross-attention in layer {layer}, mean of {len(heads)} heads: "
        + ", ".join(f"{word} {w:.2f}" for word, w in zip(steps.read, mean.tolist()))
        + f"; the largest on {steps.read[most]}."
    )

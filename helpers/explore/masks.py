"""Building a mask, and seeing who sees whom, through several layers too."""

import matplotlib.pyplot as plt
import torch
from jaxtyping import Bool, Int
from torch import Tensor

from helpers import plots
from helpers.explore.controls import Cells, Choice, Picture, Switch, play
from helpers.masks import causal_mask, check_mask, combine_masks, padding_mask

WORDS = ["the", "cat", "sat", "down", "and", "slept"]
T = len(WORDS)
PAD = 0


def masks(
    live: bool = False,
    *,
    causal: bool = True,
    window: int = T - 1,
    prefix: int = 0,
    padding: int = 0,
    flipped: tuple[tuple[int, int], ...] = (),
    layers: int = 1,
) -> None:
    """A mask of six words out of several rules, and who reaches whom through layers that all have it.

    Args:
        live: whether with controls; the other arguments say where they begin.
        causal: hide later words.
        window: hide words that stand further away than this, 0 to 5.
        prefix: this many words at the beginning may be seen by everyone all the same, 0 to 6.
        padding: this many words at the end are padding, which no one may see, 0 to 5.
        flipped: cells `(query, key)` that are then turned into their opposite.
        layers: through how many layers, 1 to 6.

    Raises:
        ValueError: a value is none of these, or a word is left that may see no one.
    """
    controls = {
        "causal": Switch("causal"),
        "window": Choice("window", range(T)),
        "prefix": Choice("prefix", range(T + 1)),
        "padding": Choice("padding", range(T)),
        "layers": Choice("layers", range(1, T + 1)),
        "flipped": Cells("cells to flip: queries down, keys across", WORDS, WORDS),
    }
    values = dict(
        causal=causal, window=window, prefix=prefix, padding=padding, flipped=flipped, layers=layers
    )
    play(draw_masks, controls, values, live)


def draw_masks(
    causal: bool, window: int, prefix: int, padding: int, flipped: tuple[tuple[int, int], ...], layers: int
) -> Picture:
    """Left the mask; right, in how many layers something of each key has come to each query.

    Raises:
        ValueError: a word is left that may see no one.
    """
    mask = build(causal, window, prefix, padding, flipped)
    check_mask(mask, torch.zeros(T, T))
    needed = layers_needed(mask, layers)
    names = WORDS[: T - padding] + ["pad"] * padding
    labels = {"xticklabels": names, "yticklabels": names}

    fig, (left, right) = plt.subplots(1, 2, figsize=(9.0, 4.0), layout="compressed")
    plots.mask_map(mask, ax=left, title=f"who may attend: {mask.sum()} of {T * T}", **labels)
    plots.mask_map(needed > 0, ax=right, ylabel="", **labels)
    for text in right.texts:
        column, row = text.get_position()
        text.set_text(f"{needed[row, column]}")
    within = f"within {layers} layer{'s' if layers > 1 else ''}"
    right.set_title(f"who reaches whom {within}: {(needed > 0).sum()} of {T * T}")
    rows = "; ".join(
        f"{names[i]} {i} sees " + " ".join(str(j) for j in mask[i].nonzero().flatten().tolist()) for i in range(T)
    )
    return fig, (
        f"Left: a mask of {T} words as queries and keys, {mask.sum()} of {T * T} pairs allowed: {rows}. "
        f"Right: the number of layers after which a query holds something of a key; {within} that is so "
        f"for {(needed > 0).sum()} pairs."
    )


def build(
    causal: bool, window: int, prefix: int, padding: int, flipped: tuple[tuple[int, int], ...]
) -> Bool[Tensor, "T T"]:
    """The mask of the T = 6 words by the rules one after the other, True = may attend."""
    position = torch.arange(T)
    near = (position[:, None] - position[None, :]).abs() <= window
    mask = combine_masks(near, causal_mask(T)) if causal else near
    mask = mask | (position < prefix)                              # (T, T) | (S,) → (T, S)
    tokens = torch.tensor([[1] * (T - padding) + [PAD] * padding])
    mask = combine_masks(mask, padding_mask(tokens, PAD))[0, 0]    # (1, 1, T, S) → (T, S)
    for cell in flipped:
        mask[cell] = ~mask[cell]
    return mask


def layers_needed(mask: Bool[Tensor, "T T"], layers: int) -> Int[Tensor, "T T"]:
    """For the T = 6 words the smallest number of layers, each with this mask, after which a query
    holds something of a key; 0 if that takes more than there are.

    After one layer i holds what it sees. After the next it holds what those hold that it sees: a
    product of matrices with `or` for + and `and` for ·.
    """
    needed, holds = torch.zeros(T, T, dtype=torch.int64), torch.eye(T, dtype=torch.bool)
    for layer in range(1, layers + 1):
        holds = (mask[:, :, None] & holds[None, :, :]).any(dim=1)  # (T, l, 1) & (1, l, T) → (T, T)
        needed[holds & (needed == 0)] = layer
    return needed

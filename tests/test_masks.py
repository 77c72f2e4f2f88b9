"""Masks: True = may attend, explicit axes, refusals that name the value."""

import pytest
import torch
from oracles import assert_refused

from helpers import causal_mask, check_mask, combine_masks, padding_mask

TOKENS = torch.tensor([[5, 6, 7, 0], [5, 0, 0, 0], [1, 2, 3, 4]])  # N = 3, S = 4, pad = 0


def test_the_causal_mask_is_the_lower_triangle():
    expected = [
        [True, False, False, False],
        [True, True, False, False],
        [True, True, True, False],
        [True, True, True, True],
    ]
    assert causal_mask(4).tolist() == expected
    assert causal_mask(4).dtype == torch.bool


def test_the_causal_mask_is_made_on_the_device_asked_for():
    assert causal_mask(3, device="meta").device.type == "meta"


def test_the_padding_mask_allows_exactly_the_real_keys():
    mask = padding_mask(TOKENS, pad=0)
    assert mask.shape == (3, 1, 1, 4)
    assert mask[:, 0, 0].tolist() == (TOKENS != 0).tolist()


def test_padding_and_causality_combine_to_keys_that_are_both_real_and_not_later():
    combined = combine_masks(padding_mask(TOKENS, pad=0), causal_mask(4))
    assert combined.shape == (3, 1, 4, 4)
    for n in range(3):
        for t in range(4):
            for s in range(4):
                expected = s <= t and TOKENS[n, s].item() != 0
                assert combined[n, 0, t, s].item() == expected, f"sequence {n}, query {t}, key {s}"


def test_combining_leaves_the_masks_as_they_were():
    masks = [padding_mask(TOKENS, pad=0), causal_mask(4)]
    before = [mask.clone() for mask in masks]
    for several in (masks, masks[:1]):
        combine_masks(*several)[...] = False
    assert all(torch.equal(*pair) for pair in zip(before, masks))


def test_one_mask_alone_combines_to_itself():
    assert torch.equal(combine_masks(causal_mask(3)), causal_mask(3))


def test_a_mask_that_fits_is_accepted_and_left_as_it_was():
    mask = causal_mask(4)
    check_mask(mask, torch.zeros(3, 2, 4, 4))
    assert torch.equal(mask, causal_mask(4))


def test_a_bare_padding_mask_is_refused_unless_its_shape_reads_as_queries_by_keys():
    """The trap that explicit axes avoid: with N = T, (N, S) means (T, S) to every API."""
    bare = padding_mask(TOKENS, pad=0)[:, 0, 0]  # (N, S) = (3, 4)
    with pytest.raises(ValueError, match=r"\(3, 4\)"):
        check_mask(bare, torch.zeros(3, 2, 5, 4))
    check_mask(bare, torch.zeros(3, 2, 3, 4))  # N = T: nobody can tell


REFUSED = {
    "no positions": (lambda: causal_mask(0), "got 0"),
    "negative length": (lambda: causal_mask(-1), "got -1"),
    "length not whole": (lambda: causal_mask(2.5), "got 2.5"),
    "length a truth value": (lambda: causal_mask(True), "got True"),
    "tokens of rank 1": (lambda: padding_mask(TOKENS[0], 0), "(4,)"),
    "tokens no tensor": (lambda: padding_mask([[1, 2]], 0), "list"),
    "tokens not whole": (lambda: padding_mask(TOKENS.float(), 0), "torch.float32"),
    "tokens boolean": (lambda: padding_mask(TOKENS.bool(), 0), "torch.bool"),
    "pad not whole": (lambda: padding_mask(TOKENS, 0.5), "got 0.5"),
    "nothing but padding": (lambda: padding_mask(torch.tensor([[1, 0], [0, 0]]), 0), "rows [1]"),
    "pad beyond the dtype": (lambda: padding_mask(TOKENS.to(torch.uint8), -1), "got -1"),
    "pad beyond any dtype": (lambda: padding_mask(TOKENS, 2**70), f"got {2**70}"),
    "no sequences": (lambda: padding_mask(torch.zeros(0, 3, dtype=torch.long), 0), "(0, 3)"),
    "no tokens": (lambda: padding_mask(torch.zeros(2, 0, dtype=torch.long), 0), "(2, 0)"),
    "nothing to combine": (combine_masks, "got none"),
    "combining numbers": (lambda: combine_masks(causal_mask(2).float()), "torch.float32"),
    "combining rank 3": (lambda: combine_masks(torch.ones(2, 3, 4).bool()), "(2, 3, 4)"),
    "combining other lengths": (lambda: combine_masks(causal_mask(3), causal_mask(4)), "(4, 4)"),
    "combining other devices": (
        lambda: combine_masks(causal_mask(3), causal_mask(3, device="meta")),
        "meta",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_and_named(name):
    assert_refused(*REFUSED[name])

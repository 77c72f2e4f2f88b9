"""The checkers are themselves checked: each flags every fault it is there for, and passes what is clean."""

import math

import pytest
import torch
import torch.nn.functional as F
from oracles import assert_refused
from torch import nn

from helpers import (
    ALiBi,
    LanguageModel,
    MultiHeadAttention,
    RotaryPositions,
    TransformerEncoder,
    causal_mask,
    padding_mask,
    record_weights,
    sinusoidal_positions,
)
from helpers.checks import check_causality, check_equivariance, check_weights

N, T, WIDTH = 2, 5, 8
WAYS = {
    (mode, method)
    for mode in ("evaluation", "training")
    for method in ("perturbation", "gradient")
}


class Attention(nn.Module):
    """One causal head; every fault a test needs is one argument."""

    def __init__(self, diagonal=0, inverted=False, fill=-math.inf, additive=False, dropout=0.0, norm=None):
        super().__init__()
        torch.manual_seed(0)
        self.projections = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in "qkv")
        self.diagonal, self.inverted, self.fill, self.additive = diagonal, inverted, fill, additive
        self.dropout = nn.Dropout(dropout)
        self.norm = norm

    def forward(self, x):
        q, k, v = (projection(x) for projection in self.projections)
        scores = q @ k.transpose(1, 2) / math.sqrt(WIDTH)
        allowed = torch.ones_like(scores[0], dtype=torch.bool).tril(self.diagonal) ^ self.inverted
        if self.additive:
            scores = scores + torch.zeros_like(scores).masked_fill(~allowed, self.fill)
        else:
            scores = scores.masked_fill(~allowed, self.fill)
        y = self.dropout(scores.softmax(-1)) @ v
        return y if self.norm is None else self.norm(y.transpose(1, 2)).transpose(1, 2)


class PyTorchsOwn(nn.Module):
    """Token and position embeddings, PyTorch's own encoder layers, causal or not."""

    def __init__(self, causal):
        super().__init__()
        torch.manual_seed(0)
        self.tokens, self.positions = nn.Embedding(7, 16), nn.Embedding(T, 16)
        layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.causal = causal

    def forward(self, tokens):
        x = self.tokens(tokens) + self.positions(torch.arange(tokens.shape[1]))
        return self.layers(x, nn.Transformer.generate_square_subsequent_mask(T) if self.causal else None)


def inputs(dtype=torch.float32):
    return torch.randn(N, T, WIDTH, generator=torch.Generator().manual_seed(1)).to(dtype)


def tokens():
    return torch.randint(0, 7, (N, T), generator=torch.Generator().manual_seed(2))


# --- causality: what is clean passes --------------------------------------------------------------

CLEAN = {
    "attention masked with −inf": Attention(),
    "with dropout": Attention(dropout=0.5),
    "the course's module": (lambda m: lambda x: m(x, causal_mask(T)))(MultiHeadAttention(WIDTH, 2)),
    "the built-in": lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True),
    "a running sum": lambda x: x.cumsum(dim=1),
    "a layer that spoils its input": lambda x: x.mul_(2.0),
    "a constant": lambda x: torch.zeros_like(x),
}


@pytest.mark.parametrize("name", CLEAN)
def test_a_causal_model_passes(name):
    report = check_causality(CLEAN[name], inputs())
    assert report.is_causal and report.leaks == () and report.likely_cause == "", str(report)
    assert str(report).startswith("causal")


def test_a_module_is_looked_at_in_both_modes_by_both_methods():
    assert set(check_causality(Attention(), inputs()).influence) == WAYS


def test_a_function_around_a_module_is_looked_at_in_both_modes_when_the_module_is_named():
    module = MultiHeadAttention(WIDTH, 2, dropout=0.5)
    report = check_causality(lambda x: module(x, causal_mask(T)), inputs(), module=module)
    assert report.is_causal and set(report.influence) == WAYS, str(report)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_it_works_in_other_dtypes(dtype):
    assert check_causality(Attention().to(dtype), inputs(dtype)).is_causal
    assert not check_causality(Attention(diagonal=T).to(dtype), inputs(dtype)).is_causal


def test_influence_is_the_lower_triangle_of_a_causal_model():
    for way, matrix in check_causality(Attention(), inputs()).influence.items():
        assert torch.equal(matrix > 0, causal_mask(T)), f"{way}: {matrix}"
        assert "gradient" not in way or matrix.max() == 1, "relative to the largest of all"


# --- causality: every kind of leak is flagged, in each mode, by each method, and named -----------

EVERY_PAIR = {(t, s) for t in range(T) for s in range(t + 1, T)}
NEXT_ONLY = {(t, t + 1) for t in range(T - 1)}
LEAKY = {
    "no mask": (Attention(diagonal=T), EVERY_PAIR, "no mask"),
    "inverted mask": (Attention(inverted=True, fill=-1e9), EVERY_PAIR, "inverted mask"),
    "inverted mask, −inf": (Attention(inverted=True), EVERY_PAIR, "inverted mask"),
    "mask off by one": (Attention(diagonal=1), NEXT_ONLY, "off by one"),
    "norm over time": (Attention(norm=nn.LayerNorm(T)), EVERY_PAIR, "normalisation over time"),
    "instance norm": (Attention(norm=nn.InstanceNorm1d(WIDTH)), EVERY_PAIR, "normalisation over time"),
}


@pytest.mark.parametrize("name", LEAKY)
def test_a_leak_is_flagged_every_way_and_its_cause_named(name):
    model, pairs, cause = LEAKY[name]
    report = check_causality(model, inputs())
    assert not report.is_causal
    for way in WAYS:
        found = sorted((leak.query, leak.key) for leak in report.leaks if (leak.mode, leak.method) == way)
        assert found == sorted(pairs), f"{way}: found {found}, expected {sorted(pairs)}"
    assert cause in report.likely_cause, report.likely_cause


def test_normalisation_over_the_batch_leaks_in_training_mode_only():
    """BatchNorm takes its statistics over batch and time while training, from memory afterwards."""
    report = check_causality(Attention(norm=nn.BatchNorm1d(WIDTH)), inputs())
    assert {leak.mode for leak in report.leaks} == {"training"}
    assert {leak.method for leak in report.leaks} == {"perturbation", "gradient"}
    assert "training mode only" in report.likely_cause


@pytest.mark.parametrize("fill", [-1e4, -1e9])
@pytest.mark.parametrize("additive", [False, True])
def test_a_finite_fill_leaks_once_scores_reach_it(fill, additive):
    model = Attention(fill=fill, additive=additive)
    assert check_causality(model, inputs(), scales=(1,)).is_causal, "small scores hide it"
    report = check_causality(model, inputs())
    assert not report.is_causal, "larger scores reach the fill"
    assert min(leak.scale for leak in report.leaks) > 1
    assert "finite fill" in report.likely_cause


def test_a_finite_fill_is_found_with_one_short_sequence():
    report = check_causality(Attention(fill=-1e9), inputs()[:1, :2])
    assert not report.is_causal


def test_a_finite_fill_is_found_where_the_largest_scales_overflow():
    assert not check_causality(Attention(fill=-1e3).half(), inputs(torch.float16)).is_causal


def test_the_cause_is_told_by_what_leaks_at_scale_1():
    """Off by one, and a finite fill that lets the other pairs leak at a large scale."""
    report = check_causality(Attention(diagonal=1, fill=-1e4), inputs().repeat(8, 1, 1), scales=(1, 1e3))
    assert {(leak.query, leak.key) for leak in report.leaks} == EVERY_PAIR
    assert "off by one" in report.likely_cause


def test_a_gradient_that_is_not_finite_counts_as_a_leak():
    """A query with no allowed key under −inf: NaN gradients reach every input."""
    report = check_causality(Attention(diagonal=-1), inputs())
    assert not report.is_causal
    assert "no allowed key" in report.likely_cause


@pytest.mark.parametrize("causal", [True, False])
def test_models_of_tokens_are_looked_at_through_their_embeddings(causal):
    report = check_causality(PyTorchsOwn(causal), tokens())
    assert set(report.influence) == WAYS
    assert report.is_causal == causal, str(report)


def test_without_embeddings_tokens_are_looked_at_by_perturbation_alone():
    report = check_causality(lambda x: x.flip(1).unsqueeze(-1).float(), tokens())
    assert set(report.influence) == {("as it is", "perturbation")}
    assert not report.is_causal


def test_a_token_is_never_replaced_by_itself():
    model = lambda x: x.float().sum(dim=1, keepdim=True).expand(x.shape)
    report = check_causality(model, torch.tensor([[3, 5, 3, 3, 5]]))
    assert {(leak.query, leak.key) for leak in report.leaks} == EVERY_PAIR


def test_inputs_that_are_all_0_are_perturbed_too():
    report = check_causality(Attention(diagonal=T), torch.zeros(N, T, WIDTH))
    assert {(leak.mode, leak.method) for leak in report.leaks} == WAYS


def test_a_tolerance_lets_small_dependence_pass():
    def faint(x):
        return x + 1e-3 * x.mean(dim=1, keepdim=True)

    assert not check_causality(faint, inputs(), scales=(1,)).is_causal
    assert check_causality(faint, inputs(), scales=(1,), tolerance=0.1).is_causal


def test_perturbation_alone_finds_a_faint_dependence_that_no_gradient_shows():
    report = check_causality(lambda x: x + 1e-4 * x.flip(1).detach(), inputs(), scales=(1,))
    assert {leak.method for leak in report.leaks} == {"perturbation"}, str(report)


def test_gradient_alone_finds_what_is_not_finite_on_the_way_back():
    """By value the square root of x − x adds 0; its slope there is infinite, and 0·∞ is NaN."""

    def sqrt_of_nothing(x):
        later = x.roll(-1, dims=1)
        return x + torch.where(later * 0 == 0, 0.0, (later - later).sqrt())

    report = check_causality(sqrt_of_nothing, inputs(), scales=(1,))
    assert {leak.method for leak in report.leaks} == {"gradient"}, str(report)


def test_a_gradient_is_seen_where_the_slopes_of_one_output_sum_to_0():
    """The entries of a softmax always sum to 1."""
    report = check_causality(lambda x: x.roll(-1, dims=1).softmax(-1), inputs(), tolerance=1e-3)
    assert {(leak.query, leak.key) for leak in report.leaks if leak.method == "gradient"} == NEXT_ONLY


def test_what_was_not_finite_before_says_nothing_and_the_rest_is_looked_at():
    spoilt = lambda x: x.index_fill(2, torch.tensor([0]), math.nan)
    assert check_causality(spoilt, inputs()).is_causal
    report = check_causality(lambda x: spoilt(x.flip(1)), inputs())
    assert {leak.method for leak in report.leaks} == {"perturbation", "gradient"}, str(report)


def test_an_embedding_called_by_keyword_is_looked_at_too():
    embedding = nn.Embedding(7, 4)
    report = check_causality(lambda x: embedding(input=x).flip(1), tokens(), module=embedding)
    assert set(report.influence) == WAYS and not report.is_causal


def test_the_report_reads_as_sentences():
    text = str(check_causality(Attention(diagonal=1), inputs()))
    for way in ("evaluation, by perturbation", "evaluation, by gradient"):
        assert f"{way}: pairs that leak 4, first output 0 on input 1" in text
    assert "likely cause: each output depends on the next input" in text


# --- equivariance: what moves with its inputs, or stays -------------------------------------------

ATTENTION = MultiHeadAttention(WIDTH, 2).eval()


def with_positions(x, mask=None):
    return ATTENTION(x + sinusoidal_positions(T, WIDTH), mask)


ORDERLY = {
    "self-attention": (ATTENTION, True, False),
    "a network for each position": (nn.Linear(WIDTH, 3), True, False),
    "a layer that spoils its input": (lambda x: x.mul_(2.0), True, False),
    "the mean": (lambda x: ATTENTION(x).mean(dim=1), False, True),
    "one number": (lambda x: x.amax(dim=(1, 2)), False, True),
    "as many pooled numbers as positions": (lambda x: x.mean(dim=1)[:, :T], False, True),
    "the mean at every position": (lambda x: x.mean(dim=1, keepdim=True).expand_as(x), True, True),
    "zeros": (lambda x: torch.zeros_like(x), True, True),
}


@pytest.mark.parametrize("name", ORDERLY)
def test_equivariant_and_invariant_are_told_apart(name):
    model, equivariant, invariant = ORDERLY[name]
    report = check_equivariance(model, inputs())
    assert (report.is_equivariant, report.is_invariant) == (equivariant, invariant), str(report)
    assert report.likely_cause == "" and ("not equivariant" in str(report)) == (not equivariant)


ADDED = "positions added, or a running state (equal inputs give different outputs)"
CAUSAL = "a causal mask (no exchange of inputs moves an output before them)"
INSIDE = "positions inside attention, or a mask such as a window (order decides who sees whom)"
STAYS = "a mask that stays behind when inputs move, as for padding (few exchanges matter)"
BREAKING = {
    "positions": (with_positions, f"{ADDED}?"),
    "running sum": (lambda x: x.cumsum(dim=1), f"{ADDED} and {CAUSAL}?"),
    "causal mask": (lambda x: ATTENTION(x, causal_mask(T)), f"{CAUSAL}?"),
    "both": (lambda x: with_positions(x, causal_mask(T)), f"{ADDED} and {CAUSAL}?"),
    "rotary": (MultiHeadAttention(WIDTH, 2, positions=RotaryPositions(4)), f"{INSIDE}?"),
    "alibi": (MultiHeadAttention(WIDTH, 2, positions=ALiBi(2)), f"{INSIDE}?"),
    "window": (lambda x: ATTENTION(x, torch.ones(T, T).tril(1).triu(-1).bool()), f"{INSIDE}?"),
    "padding": (lambda x: ATTENTION(x, (torch.arange(T) < 3).expand(T, T)), f"{STAYS}?"),
    "dropout": (
        lambda x: F.dropout(ATTENTION(x), 0.5),
        "two runs on the same input differ: dropout, although in evaluation mode?",
    ),
    "last output": (
        lambda x: ATTENTION(x)[:, -1],
        "not to be told from an output without positions: check the model before it pools",
    ),
}


@pytest.mark.parametrize("name", BREAKING)
def test_what_depends_on_the_order_is_flagged_and_its_cause_named(name):
    model, cause = BREAKING[name]
    report = check_equivariance(model, inputs())
    assert not report.is_equivariant and not report.is_invariant, str(report)
    assert report.likely_cause == cause


@pytest.mark.parametrize("name, order", [("window", [0, 1, 1, 0, 2]), ("alibi", [0, 1, 1, 1, 1])])
def test_an_exchange_of_two_that_are_alike_is_no_trace(name, order):
    """First a window that takes the same for both, then nothing before the one exchange that tells."""
    report = check_equivariance(BREAKING[name][0], inputs()[:, order])
    assert report.likely_cause == f"{INSIDE}?"


@pytest.mark.parametrize("positions", ["none", "sinusoidal", "rotary"])
def test_padding_that_moves_along_breaks_nothing_and_positions_do(positions):
    model = TransformerEncoder(9, 16, 2, 2, 32, positions=positions)
    padded = torch.tensor([[3, 4, 5, 6, 0], [7, 8, 3, 0, 0]])
    report = check_equivariance(lambda x: model(x, padding_mask(x, 0)), padded, module=model)
    assert report.is_equivariant == (positions == "none"), str(report)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_equivariance_works_in_other_dtypes(dtype):
    model = TransformerEncoder(7, 64, 4, 6, 128, positions="none").to(dtype)
    assert check_equivariance(model, tokens()).is_equivariant, "rounding passes for a difference"
    assert not check_equivariance(LanguageModel(7, 16, 2, 2, 32).to(dtype), tokens()).is_equivariant


def test_a_named_module_is_switched_to_evaluation():
    module = MultiHeadAttention(WIDTH, 2, dropout=0.5)
    assert not check_equivariance(lambda x: module(x), inputs()).is_equivariant
    assert check_equivariance(lambda x: module(x), inputs(), module=module).is_equivariant


def test_given_permutations_are_the_ones_that_are_tried():
    """Distance looks the same from both ends, so ALiBi without a mask survives a reversal."""
    model, reversal = BREAKING["alibi"][0], torch.arange(T).flip(0)
    assert check_equivariance(model, inputs(), permutations=reversal).is_equivariant
    several = torch.stack([reversal, torch.arange(T).roll(1)])
    report = check_equivariance(model, inputs(), permutations=several)
    assert (report.apart > report.tolerance).any(dim=1).tolist() == [False, True]
    report = check_equivariance(model, inputs())
    assert torch.equal(report.permutations[0], reversal) and not report.is_equivariant


def test_a_causal_mask_leaves_the_output_that_sees_everything():
    """One layer: whatever the order, the input that is moved to the end sees all the others."""
    last_stays = torch.tensor([2, 0, 1, 3, 4])
    report = check_equivariance(BREAKING["causal mask"][0], inputs(), permutations=last_stays)
    assert (report.apart > report.tolerance).tolist() == [[True, True, True, False, False]]


def test_a_faint_dependence_on_order_passes_a_wide_tolerance():
    def faint(x):
        return x + 1e-3 * torch.arange(T)[:, None]

    assert not check_equivariance(faint, inputs()).is_equivariant
    assert check_equivariance(faint, inputs(), tolerance=0.1).is_equivariant


def test_an_output_that_is_no_longer_finite_has_changed():
    def nan_unless_in_order(x):
        return torch.where(x[:, :1] == inputs()[:, :1], x, math.nan)

    report = check_equivariance(nan_unless_in_order, inputs())
    assert not report.is_equivariant and report.changed.isinf().any(), str(report)


def test_the_equivariance_report_reads_as_sentences():
    text = str(check_equivariance(ATTENTION, inputs()))
    assert text == (
        "equivariant, not invariant: outputs move with their inputs (permutations of 5 positions tried: 8)"
    )
    text = str(check_equivariance(with_positions, inputs()))
    assert text.startswith("neither equivariant nor invariant: outputs depend on the order")
    assert "permutations of 5 positions that show it: 8 of 8\n  likely cause: positions added" in text


# --- weights: every way to be none is flagged ----------------------------------------------------

SCORES = torch.randn(2, 3, 4, 5, generator=torch.Generator().manual_seed(4))  # (N, h, T, S)
MASK = torch.ones(4, 5).tril(1).bool()  # the last query may attend to every key
HIDDEN = SCORES.masked_fill(~MASK, -math.inf)
NO_KEY = MASK.index_fill(0, torch.tensor([1]), False)
NONE_FOR_ONE = (torch.arange(4) != 1)[:, None].expand(4, 5)
HIDES_ONE = (torch.arange(5) < 4).expand(4, 5)
NAN, NEGATIVE, MASKED, SUM = "not finite", "negative", "weight on masked keys", "sum is not 1"


def dropped(weights):
    torch.manual_seed(0)
    return F.dropout(weights, 0.3)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("mask", [None, MASK, MASK.expand(2, 1, 4, 5)], ids=["none", "rank 2", "rank 4"])
def test_softmax_of_masked_scores_gives_weights(mask, dtype):
    report = check_weights(HIDDEN.to(dtype).softmax(dim=-1), mask)
    assert report.is_valid and report.faults == {} and report.likely_cause == "", str(report)
    assert str(report) == "valid: every row sums to 1 over the keys it may attend to (rows: 24)"


# What is wrong: the weights, the mask, the rows of every (N, h) that fail by each fault, the cause.
NONE_OF_THEM = {
    "no mask": (SCORES.softmax(-1), MASK, {MASKED: 3}, "no mask, or"),
    "no mask, even shares": (torch.full((2, 3, 4, 4), 0.25), MASK[:, :4].tril(), {MASKED: 3}, "no mask, or"),
    "no mask, and one with no key": (SCORES.softmax(-1), NO_KEY, {MASKED: 3}, "no mask, or"),
    "finite fill": (SCORES.masked_fill(~MASK, -30.0).softmax(-1), MASK, {MASKED: 3}, "a finite fill"),
    "another mask": (HIDDEN.softmax(-1), MASK.tril(), {MASKED: 4}, "another mask"),
    "inverted": (SCORES.masked_fill(MASK, -math.inf).softmax(-1), MASK, {MASKED: 3, NAN: 1}, "inverted"),
    "inverted, finite": (SCORES.masked_fill(MASK, -1e9).softmax(-1), MASK, {MASKED: 3}, "inverted"),
    "over queries": (HIDDEN.softmax(-2), MASK, {SUM: 4}, "axis -2"),
    "over heads": (SCORES.softmax(1), None, {SUM: 4}, "axis -3"),
    "over queries, one key hidden": (
        SCORES.masked_fill(~HIDES_ONE, -math.inf).softmax(-2), HIDES_ONE, {NAN: 4}, "axis -2"
    ),
    "transposed": (SCORES.softmax(-1).mT, None, {SUM: 5}, "axis -2"),
    "mask multiplied": (SCORES.softmax(-1) * MASK, MASK, {SUM: 3}, "after softmax"),
    "mask multiplied, not handed in": (SCORES.softmax(-1) * MASK, None, {SUM: 3}, "after softmax"),
    "mask subtracted": (
        SCORES.softmax(-1) - 1.0 * ~MASK, MASK, {NEGATIVE: 3, MASKED: 3, SUM: 3}, "subtracted"
    ),
    "dropout": (dropped(SCORES.softmax(-1)), None, {SUM: 4}, "dropout"),
    "log-softmax": (SCORES.log_softmax(-1), None, {NEGATIVE: 4, SUM: 4}, "log_softmax"),
    "scores": (SCORES - 9.0, None, {NEGATIVE: 4, SUM: 4}, "no softmax"),
    "sigmoid": (SCORES.sigmoid() + 0.5, None, {SUM: 4}, "none of the usual"),
    "halves": (SCORES.softmax(-1) / 2, None, {SUM: 4}, "none of the usual"),
    "zeros": (SCORES * 0.0, None, {SUM: 4}, "none of the usual"),
    "no allowed key": (
        SCORES.masked_fill(~NO_KEY, -math.inf).softmax(-1), NO_KEY, {NAN: 1}, "no allowed key fail"
    ),
    "no allowed key, zeros": (HIDDEN.softmax(-1) * NO_KEY, NO_KEY, {SUM: 1}, "no allowed key fail"),
    "no allowed key, shared": (
        SCORES.masked_fill(~NO_KEY, -1e9).softmax(-1), NO_KEY, {MASKED: 1}, "no allowed key fail"
    ),
    "all keys or none": (SCORES.softmax(-1), NONE_FOR_ONE, {MASKED: 1}, "no allowed key fail"),
    "NaN scores": (
        HIDDEN.index_fill(2, torch.tensor([2]), math.nan).softmax(-1), MASK, {NAN: 1}, "not finite"
    ),
}


@pytest.mark.parametrize("name", NONE_OF_THEM)
def test_what_are_no_weights_is_flagged_row_by_row_and_its_cause_named(name):
    weights, mask, expected, cause = NONE_OF_THEM[name]
    report = check_weights(weights, mask)
    counts = {fault: int(rows.sum()) for fault, rows in report.faults.items()}
    assert counts == {fault: 6 * rows for fault, rows in expected.items()} and not report.is_valid
    assert cause in report.likely_cause, report.likely_cause


def test_the_weights_report_reads_as_sentences():
    text = str(check_weights(SCORES.softmax(-1), MASK.roll(1, dims=0)))
    assert "weight on masked keys: 18 of 24 rows, first (0, 0, 1)\n  likely cause: every masked" in text


def test_a_tolerance_lets_sums_be_further_from_1():
    weights = SCORES.softmax(-1) * 1.01
    assert not check_weights(weights).is_valid
    assert check_weights(weights, tolerance=0.1).is_valid
    halves = torch.tensor([[0.5, 0.5, 2e-4]]).half()  # a sum in half precision is rounded to 1
    assert not check_weights(halves, tolerance=1e-4).is_valid


def test_the_weights_of_a_whole_model_are_looked_at_before_dropout():
    model = LanguageModel(7, 16, 2, 2, 32, dropout=0.5)
    with record_weights(model) as recorded:
        model(tokens())
    assert len(recorded) == 2
    for name, weights in recorded.items():
        report = check_weights(weights, causal_mask(T))
        assert report.is_valid, f"{name}: {report}"
        assert not check_weights(weights, causal_mask(T).tril(-1)).is_valid, "another mask must fail"


# --- nothing is left behind ----------------------------------------------------------------------


@pytest.mark.parametrize("make, x", [
    (lambda: Attention(dropout=0.5, norm=nn.BatchNorm1d(WIDTH)), inputs()),
    (lambda: PyTorchsOwn(causal=True), tokens()),
], ids=["numbers", "tokens"])
@pytest.mark.parametrize("check", [check_causality, check_equivariance])
def test_model_input_and_random_state_are_left_as_they_were(check, make, x):
    model, given = make(), x.clone()
    [*model.modules()][2].eval()  # a part in a mode of its own
    before = [value.clone() for value in model.state_dict().values()]
    modes = [part.training for part in model.modules()]
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    check(model, x)
    assert torch.equal(torch.rand(3), expected), "the random state moved"
    assert torch.equal(x, given), "x changed"
    assert [part.training for part in model.modules()] == modes, "a mode changed"
    assert all(torch.equal(*pair) for pair in zip(before, model.state_dict().values())), "a buffer moved"
    assert all(p.grad is None for p in model.parameters()), "gradients were left behind"
    assert not any(part._forward_hooks for part in model.modules()), "a hook was left behind"


@pytest.mark.parametrize("check", [check_causality, check_equivariance])
def test_a_buffer_that_the_model_replaces_is_put_back(check):
    class Counting(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("calls", torch.zeros(()))

        def forward(self, x):
            self.calls = self.calls + 1
            return x

    model = Counting()
    buffer = model.calls
    check(model, inputs())
    assert model.calls is buffer and model.calls == 0, f"the model has counted {model.calls}"


REFUSED = {
    "x of rank 1": (lambda: check_causality(torch.sin, torch.zeros(4)), "(4,)"),
    "one position": (lambda: check_causality(torch.sin, torch.zeros(2, 1, 3)), "(2, 1, 3)"),
    "x no tensor": (lambda: check_causality(torch.sin, [[1.0]]), "list"),
    "x of truth values": (lambda: check_causality(torch.sin, torch.ones(2, 3).bool()), "torch.bool"),
    "x complex": (lambda: check_causality(torch.sin, torch.ones(2, 3).cfloat()), "torch.complex64"),
    "tokens of rank 3": (lambda: check_causality(torch.sin, tokens()[..., None]), "(2, 5, 1)"),
    "tokens of one kind": (lambda: check_causality(torch.sin, torch.full((2, 3), 4)), "[4]"),
    "scales without 1": (lambda: check_causality(torch.sin, inputs(), scales=(10,)), "(10,)"),
    "scales that fall": (lambda: check_causality(torch.sin, inputs(), scales=(1, 0.5)), "(1, 0.5)"),
    "one scale": (lambda: check_causality(torch.sin, inputs(), scales=1.0), "1.0"),
    "a scale that is NaN": (lambda: check_causality(torch.sin, inputs(), scales=(1, math.nan)), "nan"),
    "tolerance NaN": (lambda: check_causality(torch.sin, inputs(), tolerance=math.nan), "nan"),
    "tolerance without end": (lambda: check_causality(torch.sin, inputs(), tolerance=math.inf), "inf"),
    "tolerance below 0": (lambda: check_causality(torch.sin, inputs(), tolerance=-1.0), "-1.0"),
    "tolerance a word": (lambda: check_causality(torch.sin, inputs(), tolerance="a"), "'a'"),
    "module a word": (lambda: check_causality(torch.sin, inputs(), module="a"), "str"),
    "x with NaN": (lambda: check_causality(torch.sin, inputs() * math.nan), "80 entries"),
    "output of another length": (lambda: check_causality(lambda x: x[:, 1:], inputs()), "(2, 4, 8)"),
    "output no tensor": (lambda: check_causality(lambda x: (x, x), inputs()), "tuple"),
    "output of whole numbers": (lambda: check_causality(lambda x: x.long(), inputs()), "floating-point"),
    "nothing finite": (lambda: check_causality(lambda x: x * math.nan, inputs()), "finite"),
    "order: x of rank 1": (lambda: check_equivariance(torch.sin, torch.zeros(4)), "(4,)"),
    "order: no permutation": (lambda: check_equivariance(torch.sin, inputs(), permutations=0), "0"),
    "order: none by yes": (lambda: check_equivariance(torch.sin, inputs(), permutations=True), "True"),
    "order: an index twice": (
        lambda: check_equivariance(torch.sin, inputs(), permutations=torch.tensor([0, 1, 2, 3, 3])),
        "[0, 1, 2, 3, 3]",
    ),
    "order: too short": (
        lambda: check_equivariance(torch.sin, inputs(), permutations=torch.tensor([1, 0])), "[1, 0]"
    ),
    "order: unchanged": (
        lambda: check_equivariance(torch.sin, inputs(), permutations=torch.arange(T)), "must change x"
    ),
    "order: inputs alike": (
        lambda: check_equivariance(torch.sin, inputs()[:, :1].expand(N, T, WIDTH)), "must change x"
    ),
    "order: tolerance NaN": (lambda: check_equivariance(torch.sin, inputs(), tolerance=math.nan), "nan"),
    "order: module a word": (lambda: check_equivariance(torch.sin, inputs(), module="a"), "str"),
    "order: another batch": (lambda: check_equivariance(lambda x: x[1:], inputs()), "(1, 5, 8)"),
    "order: nothing finite": (lambda: check_equivariance(lambda x: x * math.nan, inputs()), "finite"),
    "weights: no tensor": (lambda: check_weights([[1.0]]), "list"),
    "weights: whole numbers": (lambda: check_weights(torch.ones(2, 1).long()), "torch.int64"),
    "weights: of rank 1": (lambda: check_weights(torch.ones(1)), "(1,)"),
    "weights: empty": (lambda: check_weights(torch.ones(2, 0)), "(2, 0)"),
    "weights: mask of floats": (lambda: check_weights(SCORES, MASK.float()), "torch.float32"),
    "weights: mask of another size": (lambda: check_weights(SCORES, MASK.T), "(5, 4)"),
    "weights: tolerance below 0": (lambda: check_weights(SCORES, tolerance=-1), "-1"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_and_named(name):
    assert_refused(*REFUSED[name])

"""The causality checker is itself checked: it flags every kind of leak and passes what is clean."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from helpers import MultiHeadAttention, causal_mask
from helpers.checks import check_causality

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


class LanguageModel(nn.Module):
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


# --- what is clean passes ------------------------------------------------------------------------

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


# --- every kind of leak is flagged, in each mode, by each method, and named ---------------------

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
        found = {(leak.query, leak.key) for leak in report.leaks if (leak.mode, leak.method) == way}
        assert found == pairs, f"{way}: found {sorted(found)}, expected {sorted(pairs)}"
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


def test_a_gradient_that_is_not_finite_counts_as_a_leak():
    """A query with no allowed key under −inf: NaN gradients reach every input."""
    report = check_causality(Attention(diagonal=-1), inputs())
    assert not report.is_causal
    assert "no allowed key" in report.likely_cause


@pytest.mark.parametrize("causal", [True, False])
def test_models_of_tokens_are_looked_at_through_their_embeddings(causal):
    report = check_causality(LanguageModel(causal), tokens())
    assert set(report.influence) == WAYS
    assert report.is_causal == causal, str(report)


def test_without_embeddings_tokens_are_looked_at_by_perturbation_alone():
    report = check_causality(lambda x: x.flip(1).unsqueeze(-1).float(), tokens())
    assert set(report.influence) == {("as it is", "perturbation")}
    assert not report.is_causal


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


def test_an_embedding_called_by_keyword_is_looked_at_too():
    embedding = nn.Embedding(7, 4)
    report = check_causality(lambda x: embedding(input=x).flip(1), tokens(), module=embedding)
    assert set(report.influence) == WAYS and not report.is_causal


def test_the_report_reads_as_sentences():
    text = str(check_causality(Attention(diagonal=1), inputs()))
    assert "evaluation, by gradient: pairs that leak 4, first output 0 on input 1" in text
    assert "likely cause: each output depends on the next input" in text


# --- nothing is left behind ----------------------------------------------------------------------


def test_model_input_and_random_state_are_left_as_they_were():
    model = Attention(dropout=0.5, norm=nn.BatchNorm1d(WIDTH))
    model.projections[0].eval()  # a part in a mode of its own
    x = inputs()
    before = [value.clone() for value in model.state_dict().values()]
    modes = [part.training for part in model.modules()]
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    check_causality(model, x)
    assert torch.equal(torch.rand(3), expected), "the random state moved"
    assert torch.equal(x, inputs()), "x changed"
    assert [part.training for part in model.modules()] == modes, "a mode changed"
    assert all(torch.equal(*pair) for pair in zip(before, model.state_dict().values())), "a buffer moved"
    assert all(p.grad is None for p in model.parameters()), "gradients were left behind"


def test_a_buffer_that_the_model_replaces_is_put_back():
    class Counting(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("calls", torch.zeros(()))

        def forward(self, x):
            self.calls = self.calls + 1
            return x

    model = Counting()
    buffer = model.calls
    check_causality(model, inputs())
    assert model.calls is buffer and model.calls == 0, f"the model has counted {model.calls}"


REFUSED = {
    "x of rank 1": (lambda: check_causality(torch.sin, torch.zeros(4)), "(4,)"),
    "one position": (lambda: check_causality(torch.sin, torch.zeros(2, 1, 3)), "(2, 1, 3)"),
    "x no tensor": (lambda: check_causality(torch.sin, [[1.0]]), "list"),
    "x of truth values": (lambda: check_causality(torch.sin, torch.ones(2, 3).bool()), "torch.bool"),
    "tokens of one kind": (lambda: check_causality(torch.sin, torch.full((2, 3), 4)), "[4]"),
    "scales without 1": (lambda: check_causality(torch.sin, inputs(), scales=(10,)), "(10,)"),
    "scales that fall": (lambda: check_causality(torch.sin, inputs(), scales=(1, 0.5)), "(1, 0.5)"),
    "one scale": (lambda: check_causality(torch.sin, inputs(), scales=1.0), "1.0"),
    "a scale that is NaN": (lambda: check_causality(torch.sin, inputs(), scales=(1, math.nan)), "nan"),
    "tolerance NaN": (lambda: check_causality(torch.sin, inputs(), tolerance=math.nan), "nan"),
    "tolerance below 0": (lambda: check_causality(torch.sin, inputs(), tolerance=-1.0), "-1.0"),
    "tolerance a word": (lambda: check_causality(torch.sin, inputs(), tolerance="a"), "'a'"),
    "module a word": (lambda: check_causality(torch.sin, inputs(), module="a"), "str"),
    "x with NaN": (lambda: check_causality(torch.sin, inputs() * math.nan), "80 entries"),
    "output of another length": (lambda: check_causality(lambda x: x[:, 1:], inputs()), "(2, 4, 8)"),
    "output no tensor": (lambda: check_causality(lambda x: (x, x), inputs()), "tuple"),
    "nothing finite": (lambda: check_causality(lambda x: x * math.nan, inputs()), "finite"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_and_named(name):
    attempt, named = REFUSED[name]
    with pytest.raises(ValueError) as refusal:
        attempt()
    assert named in str(refusal.value), f"the message should name {named!r}: {refusal.value}"

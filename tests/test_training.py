"""Training: groups, schedules, the loss, the loop, and runs that are interrupted."""

import copy
import io
import math
import re
from functools import partial
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from oracles import assert_refused
from torch import nn
from torch.optim import SGD, AdamW
from torch.optim.lr_scheduler import LambdaLR
from tqdm import tqdm

from helpers.blocks import TransformerBlock
from helpers.training import (
    decay_groups,
    sequence_loss,
    train,
    warmup_cosine,
    warmup_inverse_sqrt,
    warmup_linear,
)

HELPERS = Path(__file__).resolve().parents[1] / "helpers"

# -- Groups -----------------------------------------------------------------------------------


def names(model, groups):
    of = {parameter: name for name, parameter in model.named_parameters()}
    return [{of[parameter] for parameter in group["params"]} for group in groups]


def test_matrices_decay_norms_and_biases_do_not():
    model = nn.ModuleDict({
        "embedding": nn.Embedding(7, 4),
        "linear": nn.Linear(4, 5),
        "norm": nn.LayerNorm((3, 4)),
        "attention": nn.MultiheadAttention(4, 2, add_bias_kv=True),
        "rms": nn.RMSNorm((3, 4)),
    })
    groups = decay_groups(model, 0.1)
    assert [group["weight_decay"] for group in groups] == [0.1, 0.0]
    assert names(model, groups) == [
        {"embedding.weight", "linear.weight", "attention.in_proj_weight", "attention.out_proj.weight"},
        {"linear.bias", "norm.weight", "norm.bias", "attention.in_proj_bias",
         "attention.out_proj.bias", "attention.bias_k", "attention.bias_v", "rms.weight"},
    ]


class Tied(nn.Module):
    """An output that shares the embedding's weight, and a norm of its own making."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(7, 4)
        self.block = TransformerBlock(4, 2)
        self.scale = nn.Parameter(torch.ones(4))
        self.output = nn.Linear(4, 7)
        self.output.weight = self.embedding.weight
        self.frozen = nn.Linear(4, 4).requires_grad_(False)


def test_the_groups_hold_every_parameter_exactly_once_also_a_shared_or_frozen_one():
    model = Tied()
    decay, spared = (group["params"] for group in decay_groups(model, 0.1))
    grouped = [id(parameter) for parameter in [*decay, *spared]]
    assert len(grouped) == len(set(grouped)), "a parameter is there twice: it would be stepped twice"
    assert set(grouped) == {id(parameter) for parameter in model.parameters()}, "a parameter is missing"
    assert any(model.embedding.weight is parameter for parameter in decay)
    assert any(model.scale is parameter for parameter in spared)


def test_the_groups_do_as_they_say_in_an_optimiser():
    """With a gradient of zero, decay is all that moves a parameter: by lr times weight decay."""
    model = Tied()
    before = copy.deepcopy(model.state_dict())
    optimizer = AdamW(decay_groups(model, 0.1), lr=0.5)
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)
    optimizer.step()
    for name, now in model.state_dict().items():
        expected = before[name] * (0.95 if now.ndim == 2 else 1.0)
        torch.testing.assert_close(now, expected, msg=lambda m: f"{name}: {m}")


# -- Schedules --------------------------------------------------------------------------------


def test_linear_rises_in_a_line_and_falls_in_one():
    factors = [warmup_linear(4, 9)(step) for step in range(9)]
    assert factors == pytest.approx([1/4, 2/4, 3/4, 1, 5/6, 4/6, 3/6, 2/6, 1/6])


def test_cosine_rises_in_a_line_and_falls_along_half_a_cosine():
    factors = [warmup_cosine(2, 7)(step) for step in range(7)]
    half = math.sqrt(3) / 2
    expected = [1/2, 1, (1 + half) / 2, 3/4, 1/2, 1/4, (1 - half) / 2]
    assert factors == pytest.approx(expected)


def test_inverse_square_root_is_the_schedule_of_the_original():
    """Vaswani et al. 2017, equation 3, as it is printed, with steps counted from 1."""
    d_model, warmup = 512, 4000
    peak, factor = (d_model * warmup) ** -0.5, warmup_inverse_sqrt(warmup)
    for step_num in (1, 2, 3999, 4000, 4001, 100_000):
        lrate = d_model**-0.5 * min(step_num**-0.5, step_num * warmup**-1.5)
        assert peak * factor(step_num - 1) == pytest.approx(lrate), f"at step {step_num}"


@pytest.mark.parametrize("warmup", [0, 1, 5, 20])
@pytest.mark.parametrize("make", [warmup_linear, warmup_cosine, lambda w, steps: warmup_inverse_sqrt(w)])
def test_every_schedule_rises_to_1_at_the_end_of_its_warm_up_and_falls_from_there(make, warmup):
    factors = [make(warmup, 20)(step) for step in range(20)]
    peak = max(warmup, 1) - 1
    assert factors[peak] == 1.0
    assert factors == sorted(factors[:peak]) + sorted(factors[peak:], reverse=True)
    assert min(factors) > 0, "a step with a learning rate of 0 is wasted"


@pytest.mark.parametrize("make", [warmup_linear, warmup_cosine])
def test_after_the_last_step_the_rate_is_0_and_stays_it(make):
    assert [make(3, 10)(step) for step in (10, 11, 25)] == [0, 0, 0]


def test_schedules_fit_pytorchs_scheduler():
    optimizer = SGD([nn.Parameter(torch.zeros(1))], lr=0.5)
    schedule, rates = LambdaLR(optimizer, warmup_linear(2, 3)), []
    for _ in range(3):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        schedule.step()
    assert rates == pytest.approx([0.25, 0.5, 0.25])


# -- Loss -------------------------------------------------------------------------------------


@pytest.mark.parametrize("pad, at", [
    (0, [(0, 0), (1, 0), (1, 1), (1, 2)]),
    (3, [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]),
])
def test_the_loss_is_the_mean_over_tokens_that_are_not_padding(pad, at):
    torch.manual_seed(0)
    logits = torch.randn(2, 3, 5)
    target = torch.tensor([[4, 0, 0], [2, 1, 3]])
    by_hand = sum(-logits[n, t].log_softmax(-1)[target[n, t]] for n, t in at) / len(at)
    torch.testing.assert_close(sequence_loss(logits, target, pad), by_hand)


def test_padding_gets_no_gradient():
    logits = torch.randn(2, 3, 5, requires_grad=True)
    sequence_loss(logits, torch.tensor([[4, 0, 0], [2, 1, 3]]), pad=0).backward()
    reached = logits.grad.abs().sum(-1) > 0
    assert reached.tolist() == [[True, False, False], [True, True, True]]


# -- The loop ---------------------------------------------------------------------------------


class Run:
    """A small model with dropout, so that random numbers matter, and all that trains it."""

    def __init__(self, width: int = 6, optimizer=AdamW, scheduled: bool = True):
        torch.manual_seed(1)
        self.model = nn.Sequential(
            nn.Linear(4, width), nn.Dropout(0.3), nn.BatchNorm1d(width), nn.Linear(width, 1)
        )
        self.optimizer = optimizer(decay_groups(self.model, 0.1), lr=0.05)
        self.schedule = LambdaLR(self.optimizer, warmup_cosine(5, 30)) if scheduled else None

    def train(self, steps=30, batches=None, loss=None, **options):
        return train(
            self.model, batches or batch, loss or squared_error, self.optimizer, steps,
            schedule=self.schedule, **options,
        )

    def state(self):
        return [*self.model.state_dict().values(), torch.get_rng_state()]


def batch(step):
    x = torch.randn(8, 4, generator=torch.Generator().manual_seed(step))
    return x, x.sum(dim=1, keepdim=True)


def squared_error(model, batch):
    return F.mse_loss(model(batch[0]), batch[1])


@pytest.mark.parametrize("clip, options", [(0.5, {"clip": 0.5}), (1.0, {})], ids=["0.5", "default"])
def test_training_is_the_loop_one_would_write(clip, options):
    """Written out with PyTorch's own parts; weights and history have to be the same to the bit."""
    ours = Run()
    history = ours.train(**options)
    theirs = Run()
    # In the optimiser's order: a sum in another order is rounded otherwise.
    parameters = [p for group in theirs.optimizer.param_groups for p in group["params"]]
    losses, norms, rates = [], [], []
    for step in range(30):
        rates.append(theirs.optimizer.param_groups[0]["lr"])
        theirs.optimizer.zero_grad()
        loss = squared_error(theirs.model, batch(step))
        loss.backward()
        losses.append(loss.item())
        norms.append(torch.cat([p.grad.flatten() for p in parameters]).norm().item())
        nn.utils.clip_grad_norm_(parameters, clip)
        theirs.optimizer.step()
        theirs.schedule.step()
    assert history.loss == losses
    assert history.gradient_norm == pytest.approx(norms), "the norm is to be that before clipping"
    assert max(norms) > clip, "nothing was clipped, so this shows nothing about clipping"
    assert history.learning_rate == rates
    assert all(torch.equal(*pair) for pair in zip(ours.state(), theirs.state()))


def test_without_clipping_the_gradient_is_taken_as_it_is():
    torch.manual_seed(0)
    model = nn.Linear(4, 1, bias=False)
    before = model.weight.detach().clone()
    x, y = 100 * batch(0)[0], batch(0)[1]
    train(model, lambda step: (x, y), squared_error, SGD(model.parameters(), lr=1e-3), 1, clip=None)
    gradient = 2 * (before @ x.T - y.T) @ x / len(x)  # of the mean squared error
    torch.testing.assert_close(model.weight.detach(), before - 1e-3 * gradient)


@pytest.mark.parametrize("mode", [True, False])
def test_the_model_is_trained_in_training_mode_and_left_in_the_mode_it_was_in(mode):
    run, seen = Run(), []
    run.model.train(mode)
    run.train(3, loss=lambda model, batch: (seen.append(model.training), squared_error(model, batch))[1])
    assert seen == [True] * 3
    assert run.model.training == mode


def test_the_bar_shows_loss_and_gradient_norm_on_stdout_and_can_be_switched_off(
    tmp_path, capsys, monkeypatch
):
    Run().train(1, checkpoint=tmp_path / "run")
    assert capsys.readouterr() == ("", ""), "TQDM_DISABLE=1 is set in tests"
    monkeypatch.setattr("helpers.training.tqdm", partial(tqdm, disable=False, mininterval=0))
    history = Run().train(3, checkpoint=tmp_path / "run")
    out, err = capsys.readouterr()
    last = f"loss {history.loss[-1]:.3f}, gradient {history.gradient_norm[-1]:.2f}"
    assert "1/3" in out and "3/3" in out and last in out, "the steps before are to be counted: " + out
    assert err == "", "a notebook shows stderr as if something had gone wrong"


@pytest.mark.parametrize("name, loss", [
    ("loss", lambda model, batch: squared_error(model, batch) * (math.nan if batch[2] == 3 else 1)),
    ("loss", lambda model, batch: squared_error(model, batch) + (math.inf if batch[2] == 3 else 0)),
    ("gradient", lambda model, batch: squared_error(model, batch) + (
        # sqrt at 0: a finite value with an infinite slope
        (model[0].weight * 0).sum().sqrt() if batch[2] == 3 else 0
    )),
])
def test_what_is_not_finite_stops_the_run_by_name_and_step_before_it_spoils_the_model(name, loss):
    run, before = Run(), []
    run.model.eval()

    def batches(step):
        before[:] = [p.detach().clone() for p in run.model.parameters()]
        return *batch(step), step

    with pytest.raises(FloatingPointError, match=f"the {name} must be finite.* at step 3"):
        run.train(batches=batches, loss=loss)
    assert all(torch.equal(*pair) for pair in zip(before, run.model.parameters()))
    assert not run.model.training, "the model was left in training mode"


# -- Interrupted runs -------------------------------------------------------------------------


class Killed(BaseException):
    pass


def killed_at(last):
    def batches(step):
        if step == last:
            raise Killed
        return batch(step)

    return batches


@pytest.mark.parametrize("kills", [[0], [10], [17], [29], [17, 18, 25]])
def test_a_run_that_was_killed_ends_as_if_it_had_not_been(tmp_path, kills):
    """Killed before the first checkpoint, right after one, and between two; once and repeatedly."""
    whole = Run()
    expected, state = whole.train(), whole.state()
    for kill in kills:
        with pytest.raises(Killed):
            Run().train(checkpoint=tmp_path / "run", every=10, batches=killed_at(kill))
    last = Run()
    if kills != [0]:  # with a checkpoint, whatever random numbers there are now do not matter
        torch.manual_seed(99)
    assert last.train(checkpoint=tmp_path / "run", every=10) == expected
    assert all(torch.equal(*pair) for pair in zip(last.state(), state))


@pytest.mark.parametrize("kill, options, first", [(17, {"every": 10}, 10), (199, {}, 100)])
def test_only_the_steps_after_the_checkpoint_are_taken_again(tmp_path, kill, options, first):
    options = {**options, "checkpoint": tmp_path / "a new" / "folder" / "run"}
    with pytest.raises(Killed):
        Run().train(200, **options, batches=killed_at(kill))
    taken = []
    Run().train(200, **options, batches=lambda s: (taken.append(s), batch(s))[1])
    assert taken == list(range(first, 200))


def test_a_finished_run_is_only_read_and_can_be_made_longer(tmp_path):
    finished = Run()
    expected = finished.train(20, checkpoint=tmp_path / "run")
    state = finished.state()
    again = Run()
    assert again.train(20, checkpoint=tmp_path / "run", batches=killed_at(0)) == expected
    assert all(torch.equal(*pair) for pair in zip(again.state(), state))
    assert again.train(30, checkpoint=tmp_path / "run") == Run().train(30)


def test_a_run_killed_while_it_writes_leaves_the_checkpoint_before(tmp_path, monkeypatch):
    whole = Run()
    expected = whole.train()
    save, written = torch.save, []

    def killed_in_the_middle_of_the_second(state, file):
        written.append(state)
        if len(written) == 2:
            file.write(b"half a checkpoint")
            raise Killed
        save(state, file)

    monkeypatch.setattr(torch, "save", killed_in_the_middle_of_the_second)
    with pytest.raises(Killed):
        Run().train(checkpoint=tmp_path / "run", every=10)
    monkeypatch.undo()
    taken = []
    resumed = Run().train(checkpoint=tmp_path / "run", batches=lambda s: (taken.append(s), batch(s))[1])
    assert resumed == expected
    assert taken == list(range(10, 30)), "the first checkpoint, after ten steps, should have been there"


def test_a_checkpoint_cannot_run_anything(tmp_path):
    """A pickle may name any function to call; only tensors and plain data are read."""
    class Bomb:
        def __reduce__(self):
            return pytest.fail, ("code from the file was run",)

    torch.save({"made of": Bomb()}, tmp_path / "run")
    with pytest.raises(ValueError, match="must be a checkpoint"):
        Run().train(checkpoint=tmp_path / "run")


@pytest.mark.parametrize("other, named", [
    (lambda: Run(width=7), "the model's 0.bias is (6,) torch.float32 there and (7,)"),
    (lambda: Run(optimizer=SGD), "the optimiser is AdamW there and SGD here"),
    (
        lambda: Run(optimizer=lambda groups, lr: AdamW([p for g in groups for p in g["params"]], lr)),
        "the size of its groups is [2, 4] there and [6] here",
    ),
    (lambda: Run(scheduled=False), "the schedule is LambdaLR there and none here"),
])
def test_a_checkpoint_of_another_run_is_refused_in_a_sentence_and_changes_nothing(tmp_path, other, named):
    Run().train(10, checkpoint=tmp_path / "run")
    stranger = other()
    before = copy.deepcopy(stranger.state())
    with pytest.raises(ValueError) as refusal:
        stranger.train(10, checkpoint=tmp_path / "run")
    assert named in str(refusal.value) and str(tmp_path / "run") in str(refusal.value)
    assert all(torch.equal(*pair) for pair in zip(before, stranger.state()))


def test_a_checkpoint_with_more_parts_than_the_model_is_refused_too(tmp_path):
    def linear(bias):
        torch.manual_seed(0)
        model = nn.Linear(4, 1, bias)
        return model, batch, squared_error, SGD(model.parameters(), lr=0.1), 3

    train(*linear(bias=True), checkpoint=tmp_path / "run")
    with pytest.raises(ValueError, match="the model's bias is .* there and None here"):
        train(*linear(bias=False), checkpoint=tmp_path / "run")


def test_a_checkpoint_of_more_steps_than_asked_for_is_refused(tmp_path):
    Run().train(10, checkpoint=tmp_path / "run")
    with pytest.raises(ValueError, match="at most the 5 steps asked for, got 10"):
        Run().train(5, checkpoint=tmp_path / "run")


def saved(value):
    file = io.BytesIO()
    torch.save(value, file)
    return file.getvalue()


@pytest.mark.parametrize("content", [
    b"", b"no checkpoint", b"PK\x03\x04 cut short", saved({}), saved([1])
], ids=["nothing", "text", "cut short", "an empty dict", "a list"])
def test_a_file_that_is_no_checkpoint_is_refused_and_left_alone(tmp_path, content):
    (tmp_path / "run").write_bytes(content)
    with pytest.raises(ValueError, match="must be a checkpoint"):
        Run().train(checkpoint=tmp_path / "run")
    assert (tmp_path / "run").read_bytes() == content


REFUSED = {
    "a negative decay": (lambda: decay_groups(nn.Linear(2, 2), -0.1), "got -0.1"),
    "a decay that is no number": (lambda: decay_groups(nn.Linear(2, 2), math.nan), "got nan"),
    "a decay without end": (lambda: decay_groups(nn.Linear(2, 2), math.inf), "got inf"),
    "nothing to train": (lambda: decay_groups(nn.Identity(), 0.1), "Identity has none"),
    "a negative warm-up": (lambda: warmup_inverse_sqrt(-1), "got -1"),
    "a warm-up not whole": (lambda: warmup_linear(0.5, 9), "got 0.5"),
    "a warm-up of yes": (lambda: warmup_linear(True, 9), "got True"),
    "a warm-up longer than the run": (lambda: warmup_cosine(10, 9), "at most steps=9, got 10"),
    "a schedule of no steps": (lambda: warmup_linear(0, 0), "steps must be"),
    "logits of rank 2": (lambda: sequence_loss(torch.zeros(2, 3), torch.ones(2, 3).long(), 0), "(2, 3)"),
    "a target of another length": (
        lambda: sequence_loss(torch.zeros(2, 3, 5), torch.ones(2, 4).long(), 0), "(2, 4)"
    ),
    "nothing but padding": (
        lambda: sequence_loss(torch.zeros(2, 3, 5), torch.zeros(2, 3).long(), 0), "pad=0"
    ),
    "no steps": (lambda: Run().train(0), "steps must be"),
    "no steps between checkpoints": (lambda: Run().train(every=0), "every must be"),
    "clipping to nothing": (lambda: Run().train(clip=0.0), "got 0.0"),
    "an optimiser of another model": (
        lambda: train(nn.Linear(4, 1), batch, squared_error, Run().optimizer, 1), "gets a gradient"
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_and_named(name):
    assert_refused(*REFUSED[name])


def test_the_other_helpers_need_neither_the_bar_nor_the_number_words():
    """`import helpers` stays as quick as `import torch`: data and training are imported by name."""
    others = [path for path in HELPERS.glob("*.py") if path.stem not in ("data", "training")]
    assert HELPERS / "__init__.py" in others
    loads = re.compile(r"^\s*(?:from|import) (num2words|tqdm|helpers\.(?:data|training))\b", re.M)
    found = {path.name: loads.findall(path.read_text()) for path in others}
    assert not any(found.values()), found

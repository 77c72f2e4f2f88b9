"""Training: which parameters decay, how the learning rate warms up, and the loop itself.

`train` is an ordinary loop in which three things are seen to: progress is shown, what happened is
kept, and an interrupted run goes on as if it had not been interrupted.
"""

import math
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler
from tqdm import tqdm

from helpers.checkpoint import load_checkpoint, save_checkpoint
from helpers.inputs import require_positive


def decay_groups(model: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """Two groups for an optimiser, the first with weight decay: matrices and embeddings; the
    second without: norms, biases and other vectors.

    Decay draws a weight towards 0 (Loshchilov & Hutter 2019, section 2). A norm's scale belongs
    near 1, and a bias does not overfit. Together the groups hold each parameter exactly once,
    one that several modules share too.

    Raises:
        ValueError: weight_decay is negative or not finite, or the model has no parameters.
    """
    if not 0.0 <= weight_decay < math.inf:
        raise ValueError(f"weight_decay must be at least 0, got {weight_decay!r}")
    parameters = list(model.parameters())  # each once
    if not parameters:
        raise ValueError(f"a model to train needs parameters, {type(model).__name__} has none")
    spared = {
        parameter
        for module in model.modules()
        for name, parameter in module.named_parameters(recurse=False)
        if parameter.ndim < 2 or "bias" in name or isinstance(module, nn.LayerNorm | nn.RMSNorm)
    }
    return [
        {"params": [p for p in parameters if p not in spared], "weight_decay": weight_decay},
        {"params": [p for p in parameters if p in spared], "weight_decay": 0.0},
    ]


def warmup_linear(warmup: int, steps: int) -> Callable[[int], float]:
    """Up in a straight line, then down in one, to 0 after the last step.

    Returns:
        A function of the step, counted from 0, whose value multiplies the optimiser's learning
        rate: `LambdaLR(optimizer, warmup_linear(60, 400))`. It is 1 at the `warmup`-th step.

    Raises:
        ValueError: warmup is negative or more than steps, or steps is not positive.
    """
    _check_schedule(warmup, steps)
    return lambda step: min(_rise(step, warmup), 1 - _progress(step, warmup, steps))


def warmup_cosine(warmup: int, steps: int) -> Callable[[int], float]:
    """Up in a straight line, then down along half a cosine (Loshchilov & Hutter 2017, equation
    5, without restarts), to 0 after the last step.

    Returns:
        A function of the step, as `warmup_linear` does.

    Raises:
        ValueError: warmup is negative or more than steps, or steps is not positive.
    """
    _check_schedule(warmup, steps)
    return lambda step: min(
        _rise(step, warmup), (1 + math.cos(math.pi * _progress(step, warmup, steps))) / 2
    )


def warmup_inverse_sqrt(warmup: int) -> Callable[[int], float]:
    """Up in a straight line, then down with the inverse square root of the step.

    Vaswani et al. 2017, equation 3, divided by its largest value: for their learning rates give
    the optimiser `lr=(d_model * warmup) ** -0.5`.

    Returns:
        A function of the step, as `warmup_linear` does; it never reaches 0.

    Raises:
        ValueError: warmup is negative.
    """
    _check_schedule(warmup)
    return lambda step: min(_rise(step, warmup), (max(warmup, 1) / (step + 1)) ** 0.5)


def sequence_loss(
    logits: Float[Tensor, "N T vocab_size"], target: Int[Tensor, "N T"], pad: int
) -> Float[Tensor, ""]:
    """Cross entropy, the mean over all positions whose target is not padding.

    Raises:
        ValueError: target is not of the shape of the logits' first two axes, or nothing but
            padding.
    """
    if logits.ndim != 3 or target.shape != logits.shape[:2]:
        raise ValueError(
            "logits (N, T, vocab_size) need a target of shape (N, T), "
            f"got logits {tuple(logits.shape)} and target {tuple(target.shape)}"
        )
    if not (target != pad).any():
        raise ValueError(f"target must hold a token that is not pad={pad}, got none")
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=pad)


@dataclass
class History:
    """What happened at each step."""

    loss: list[float] = field(default_factory=list)
    gradient_norm: list[float] = field(default_factory=list)
    """The length of the gradient of all parameters together, before clipping."""
    learning_rate: list[float] = field(default_factory=list)
    """That of the optimiser's first group."""


def train(
    model: nn.Module,
    batches: Callable[[int], Any],
    loss: Callable[[nn.Module, Any], Float[Tensor, ""]],
    optimizer: Optimizer,
    steps: int,
    *,
    schedule: LRScheduler | None = None,
    clip: float | None = 1.0,
    checkpoint: str | os.PathLike | None = None,
    every: int = 100,
) -> History:
    """Train a model, in training mode, with a progress bar (`TQDM_DISABLE=1` hides it).

    With a checkpoint, a run that was interrupted goes on from the last one written and ends as
    it would have ended, bit for bit: model, optimiser, schedule, history and PyTorch's random
    numbers are taken from the file, whatever they were; a finished run is only read.

    Args:
        model: afterwards trained, and in the mode it was in before.
        batches: batches(step) gives the batch of that step, counted from 0. To be resumed, a run
            needs one that depends on the step alone.
        loss: loss(model, batch) gives a scalar to go down.
        optimizer: one of the model's parameters.
        steps: how many in all.
        schedule: of the optimiser's learning rate, moved on after each step.
        clip: longest gradient to step along; a longer one is shortened to it (Pascanu et al.
            2013, section 3.2). None leaves it as it is.
        checkpoint: a file to write, and to go on from where it exists.
        every: how many steps from one checkpoint to the next; one more follows the last step.

    Returns:
        The `History` of all steps, those before an interruption too.

    Raises:
        ValueError: steps or every is not a positive whole number, clip is not above 0, no
            parameter of the optimiser gets a gradient, or the checkpoint is of another model,
            optimiser or schedule, of more steps, or no checkpoint at all.
        FloatingPointError: loss or gradient is not finite; the model is left as the step found it.
    """
    require_positive("steps", steps)
    require_positive("every", every)
    if clip is not None and not clip > 0:
        raise ValueError(f"clip must be above 0, or None, got {clip!r}")
    path = None if checkpoint is None else Path(checkpoint)
    history = History()
    if path is not None and path.exists():
        history = History(**load_checkpoint(path, steps, model, optimizer, schedule))
    start = len(history.loss)
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    mode = model.training
    model.train()
    try:
        # On stdout, because a notebook shows stderr as if something had gone wrong.
        with tqdm(range(start, steps), initial=start, total=steps, file=sys.stdout) as bar:
            for step in bar:
                value = loss(model, batches(step))
                history.loss.append(_finite("loss", value, step))
                optimizer.zero_grad()
                value.backward()
                gradients = [p.grad for p in parameters if p.grad is not None]
                if not gradients:
                    raise ValueError("none of the optimiser's parameters gets a gradient: are they this model's?")
                norm = nn.utils.get_total_norm(gradients)
                history.gradient_norm.append(_finite("gradient", norm, step))
                history.learning_rate.append(float(optimizer.param_groups[0]["lr"]))
                if clip is not None:
                    nn.utils.clip_grads_with_norm_(parameters, clip, norm)
                optimizer.step()
                if schedule is not None:
                    schedule.step()
                if path is not None and ((step + 1) % every == 0 or step + 1 == steps):
                    save_checkpoint(path, vars(history), model, optimizer, schedule)
                bar.set_postfix_str(
                    f"loss {history.loss[-1]:.3f}, gradient {history.gradient_norm[-1]:.2f}",
                    refresh=False,
                )
    finally:
        model.train(mode)
    return history


def _finite(name: str, value: Tensor, step: int) -> float:
    number = value.item()
    if not math.isfinite(number):
        raise FloatingPointError(
            f"the {name} must be finite, got {number} at step {step}; the learning rate may be too "
            "high, or a query have no key it may attend to"
        )
    return number


def _rise(step: int, warmup: int) -> float:
    return min(1.0, (step + 1) / max(warmup, 1))


def _progress(step: int, warmup: int, steps: int) -> float:
    """How much of the way down is done: 0 at the end of the warm-up, 1 after the last step."""
    done = step + 1 - max(warmup, 1)
    return min(max(done / (steps + 1 - max(warmup, 1)), 0.0), 1.0)


def _check_schedule(warmup: int, steps: int | None = None) -> None:
    if isinstance(warmup, bool) or not isinstance(warmup, int) or warmup < 0:
        raise ValueError(f"warmup must be a whole number of at least 0, got {warmup!r}")
    if steps is not None:
        require_positive("steps", steps)
        if warmup > steps:
            raise ValueError(f"warmup must be at most steps={steps}, got {warmup}")

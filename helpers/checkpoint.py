"""A training run on disk: written whole or not at all, and refused where it does not fit."""

import pickle
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler

from helpers.files import whole

Record = dict[str, list[float]]
"""What happened at each step, as it is written."""


def save_checkpoint(
    path: Path, history: Record, model: nn.Module, optimizer: Optimizer, schedule: LRScheduler | None
) -> None:
    """Write all that a run depends on from here on, and its history.

    Whatever stops the writing leaves the checkpoint before it.
    """
    state = {
        "made of": _made_of(model, optimizer, schedule),
        "history": history,
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "schedule": None if schedule is None else schedule.state_dict(),
        "random": torch.get_rng_state(),
    }
    with whole(path) as file:
        torch.save(state, file)


def load_checkpoint(
    path: Path, steps: int, model: nn.Module, optimizer: Optimizer, schedule: LRScheduler | None
) -> Record:
    """Bring model, optimiser, schedule and PyTorch's random numbers to where the file has them.

    Only tensors and plain data are read: a file from elsewhere cannot run anything.

    Returns:
        The history.

    Raises:
        ValueError: the file is no checkpoint, of another model, optimiser or schedule, or of more
            than `steps` steps. Nothing is changed then.
    """
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
        there, taken = state["made of"], len(state["history"]["loss"])
    except (RuntimeError, EOFError, pickle.UnpicklingError, LookupError, TypeError):
        raise ValueError(
            f"{path} must be a checkpoint that was written in training, and is none; "
            "name another file, or remove it to begin anew"
        ) from None
    here = _made_of(model, optimizer, schedule)
    for name in sorted({*here, *there}):
        if here.get(name) != there.get(name):
            raise ValueError(
                f"{path} is a checkpoint of another run: {name} is {there.get(name)} there and "
                f"{here.get(name)} here; name another file, or remove it to begin anew"
            )
    if taken > steps:
        raise ValueError(f"{path} must hold at most the {steps} steps asked for, got {taken}")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    if schedule is not None:
        schedule.load_state_dict(state["schedule"])
    torch.set_rng_state(state["random"])
    return state["history"]


def _made_of(
    model: nn.Module, optimizer: Optimizer, schedule: LRScheduler | None
) -> dict[str, Any]:
    """What has to be the same for one run to go on as another: kinds, names, shapes, dtypes."""
    tensors = {f"the model's {name}": t for name, t in model.state_dict().items()}
    return {
        **{name: f"{tuple(t.shape)} {t.dtype}" for name, t in tensors.items()},
        "the optimiser": type(optimizer).__name__,
        "the size of its groups": [len(group["params"]) for group in optimizer.param_groups],
        "the schedule": type(schedule).__name__ if schedule is not None else "none",
    }

"""Type hints, helper functions, other names for everything, and inference mode for the report."""

from torch import Tensor

Report = dict[str, dict[str, list[float]]]


def _replace(row: Tensor, hidden: list[bool], number: float) -> Tensor:
    return torch.where(torch.tensor(hidden), torch.full_like(row, number), row)


@torch.inference_mode()
def fill_report(logits: list[float], rows: dict[str, list[bool]], fills: dict[str, float]) -> Report:
    row = torch.tensor(logits, dtype=torch.float32)
    return {
        who: {what: _replace(row, hidden, number).softmax(dim=0).tolist() for what, number in fills.items()}
        for who, hidden in rows.items()
    }


def _attempt(number: float, kind: torch.dtype) -> None:
    torch.empty(3, 5, dtype=kind).masked_fill(torch.rand(3, 5) > 0.5, number)


def fill_error(fill: float, dtype: str) -> str | None:
    with torch.inference_mode():
        try:
            _attempt(fill, getattr(torch, dtype))
        except (RuntimeError, ValueError, TypeError) as problem:
            return type(problem).__name__
        else:
            return None


def _has_a_key(mask: Tensor) -> Tensor:
    return mask.any(dim=-1, keepdim=True)


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    everywhere = mask.expand(scores.shape)
    safe = everywhere | ~_has_a_key(everywhere)
    return torch.where(everywhere, torch.softmax(scores.masked_fill(~safe, float("-inf")), -1), 0.0)

"""What a model keeps of the tokens it has seen, so that generation need not compute it again.

Keys and values of earlier positions do not change when a token is appended (a causal mask sees to
that), so each is computed once: Pope et al. 2023, "Efficiently Scaling Transformer Inference",
section 2.1.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


class KeyValueCache:
    """Keys and values of every attention in a model: make one, hand it to each call of the model.

    Self-attention grows by the positions of each call; cross-attention is filled at the first
    call and stays, as the memory does. A cache belongs to one batch of sequences.
    """

    def __init__(self) -> None:
        self._grown: dict[nn.Module, tuple[Tensor, Tensor]] = {}
        self._fixed: dict[nn.Module, tuple[Tensor, Tensor]] = {}

    @property
    def length(self) -> int:
        """How many positions the model has seen."""
        return max((k.shape[2] for k, _ in self._grown.values()), default=0)

    @property
    def n_bytes(self) -> int:
        """What it holds, in bytes: `2·n_layers·N·n_kv_heads·S·d_k` numbers for self-attention."""
        entries = [*self._grown.values(), *self._fixed.values()]
        return sum(tensor.numel() * tensor.element_size() for pair in entries for tensor in pair)

    def seen_by(self, module: nn.Module) -> int:
        """How many positions this attention has seen."""
        return self._grown[module][0].shape[2] if module in self._grown else 0

    def extend(
        self,
        module: nn.Module,
        k: Float[Tensor, "N h_kv T d_k"],
        v: Float[Tensor, "N h_kv T d_v"],
    ) -> tuple[Float[Tensor, "N h_kv S d_k"], Float[Tensor, "N h_kv S d_v"]]:
        """Append the keys and values of T further positions; returns those of all S so far.

        Raises:
            ValueError: the batch is another than the cache's.
        """
        if module in self._grown:
            past_k, past_v = self._grown[module]
            _require_batch(past_k, k.shape[0])
            k = torch.cat([past_k, k], dim=2)  # (N, h_kv, S−T, d_k) → (N, h_kv, S, d_k)
            v = torch.cat([past_v, v], dim=2)
        self._grown[module] = k, v
        return k, v

    def memory_of(
        self, module: nn.Module, memory: Float[Tensor, "N S d_model"]
    ) -> tuple[Float[Tensor, "N h_kv S d_k"], Float[Tensor, "N h_kv S d_v"]] | None:
        """Keys and values of the memory, if this cross-attention has projected it before.

        Raises:
            ValueError: the memory is of another batch or length than the one it has projected.
        """
        if module not in self._fixed:
            return None
        k, v = self._fixed[module]
        _require_batch(k, memory.shape[0])
        if k.shape[2] != memory.shape[1]:
            raise ValueError(
                f"a cache belongs to one memory: it holds one of length {k.shape[2]}, "
                f"got {memory.shape[1]}; begin a new KeyValueCache for another memory"
            )
        return k, v

    def keep_memory(
        self,
        module: nn.Module,
        k: Float[Tensor, "N h_kv S d_k"],
        v: Float[Tensor, "N h_kv S d_v"],
    ) -> None:
        """Keep what this cross-attention made of the memory."""
        self._fixed[module] = k, v

    def reorder(self, rows: Int[Tensor, " M"]) -> None:
        """Let row i go on from what was row `rows[i]`: beam search drops some and doubles others."""
        for entries in (self._grown, self._fixed):
            for module, (k, v) in entries.items():
                entries[module] = k.index_select(0, rows), v.index_select(0, rows)


def _require_batch(kept: Tensor, N: int) -> None:
    if kept.shape[0] != N:
        raise ValueError(
            f"a cache belongs to one batch: it holds {kept.shape[0]} sequences, got {N}; "
            "begin a new KeyValueCache for other sequences"
        )

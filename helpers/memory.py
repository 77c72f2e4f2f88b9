"""How much memory a computation needs: counted in bytes of tensors, so that every machine agrees."""

import weakref
from collections.abc import Callable

from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


def peak_bytes(function: Callable, *args, **kwargs) -> int:
    """The most bytes that new tensors hold at one time while `function(*args, **kwargs)` runs.

    What it returns counts, and so does whatever autograd keeps for a backward pass; tensors that
    were there before do not. A storage is counted once, however many views share it, until nobody
    holds it any more. Counted are the results of PyTorch's operators: scratch space that a kernel
    takes and gives back inside one operator is not seen. Tensors on the device `meta` are counted
    as if they held numbers, without computing any.

    Args:
        function: called once, with `args` and `kwargs`.

    Returns:
        The peak, in bytes.
    """
    with _LiveTensors() as live:
        result = function(*args, **kwargs)  # held until the counting ends
    del result
    return live.peak


class _LiveTensors(TorchDispatchMode):
    """Sees every operator run, forward and backward, and follows the storages it makes."""

    def __init__(self) -> None:
        super().__init__()
        self.peak = 0
        self._sizes: dict[int, int] = {}  # bytes of each new storage that is alive, by its address

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        inputs = {storage._cdata for storage in _storages((args, kwargs))}
        from_before = inputs - self._sizes.keys()
        result = operator(*args, **(kwargs or {}))
        for storage in _storages(result):
            address = storage._cdata
            if address in from_before:  # a view of an older tensor, or that tensor changed in place
                continue
            if address not in self._sizes:
                weakref.finalize(storage, self._sizes.pop, address)
            self._sizes[address] = storage.nbytes()
        self.peak = max(self.peak, sum(self._sizes.values()))
        return result


def _storages(tree) -> list:
    return [leaf.untyped_storage() for leaf in tree_leaves(tree) if isinstance(leaf, Tensor)]

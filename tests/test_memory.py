"""The memory counter against allocations whose size is known."""

import torch
from torch import nn

from helpers.memory import peak_bytes

FLOAT = 4  # bytes


def test_one_new_tensor_counts_its_bytes():
    assert peak_bytes(torch.zeros, 10, 7) == 70 * FLOAT
    assert peak_bytes(torch.zeros, 10, 7, dtype=torch.double) == 70 * 8


def test_tensors_alive_together_add_up_and_freed_ones_do_not():
    def together():
        kept = [torch.zeros(100) for _ in range(5)]
        return len(kept)

    def one_by_one():
        for _ in range(5):
            torch.zeros(100)

    assert peak_bytes(together) == 500 * FLOAT
    assert peak_bytes(one_by_one) == 100 * FLOAT


def test_the_peak_counts_not_the_end():
    def rise_and_fall():
        large = torch.zeros(1000)
        small = large.sum()
        del large
        return small + torch.zeros(10)

    assert peak_bytes(rise_and_fall) == 1001 * FLOAT


def test_tensors_from_before_views_of_them_and_changes_in_place_cost_nothing():
    x = torch.zeros(20, 30)

    def only_views():
        x.add_(1)
        return x.mT[2:5].expand(4, 3, 20)

    assert peak_bytes(only_views) == 0
    assert torch.equal(x, torch.ones(20, 30)), "the function should have run"
    z = torch.zeros(20, 30)
    assert peak_bytes(torch.add, x, x, out=z) == 0
    assert torch.equal(z, x + x)


def test_views_of_a_new_tensor_count_once_and_keep_it_alive():
    def last_row():
        return torch.zeros(50, 2)[-1]

    def then_more():
        row = last_row()
        return row, torch.zeros(7)

    assert peak_bytes(last_row) == 100 * FLOAT
    assert peak_bytes(then_more) == 107 * FLOAT


def test_what_autograd_keeps_for_the_backward_pass_counts():
    x = torch.zeros(1000, requires_grad=True)

    def chain():
        return x.exp().exp().exp().sum()  # exp keeps its result

    assert peak_bytes(chain) == 3001 * FLOAT
    with torch.no_grad():
        assert peak_bytes(chain) == 2000 * FLOAT


def test_the_backward_pass_counts_too():
    layer = nn.Linear(30, 20, bias=False)
    x = torch.zeros(5, 30)
    assert peak_bytes(lambda: layer(x).sum().backward()) >= 30 * 20 * FLOAT
    assert layer.weight.grad is not None


def test_tensors_on_meta_count_as_if_they_held_numbers():
    q = torch.empty(100_000, 8, device="meta")
    assert peak_bytes(lambda: q @ q.mT) == 100_000**2 * FLOAT


def test_arguments_reach_the_function():
    x = torch.zeros(3, 4)
    assert peak_bytes(torch.cat, [x, x], dim=1) == 24 * FLOAT

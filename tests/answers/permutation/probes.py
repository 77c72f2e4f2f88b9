"""Calls that tell the known mistakes of this exercise apart.

A probe looks at what its cell is about and at little else. Where scores should not matter they are all
the same, so that one who forgot to divide them is still told what is wrong with the mask.
"""

from dataclasses import replace

import torch

from helpers.reasons import Probe

CYCLE = [2, 0, 1]
ROUND = [1, 2, 3, 0]
SHUFFLED = [3, 0, 4, 1, 2]
EVERY = torch.ones(3, 3, dtype=torch.bool)
CAUSAL = EVERY.tril()


def T(*rows):
    return torch.tensor(rows)


# -- self_attention --------------------------------------------------------------------------

# No two of the sizes are alike, so that a root of the wrong one shows.
TWO_TOKENS = (
    T([1.0, 0.0, 2.0], [0.0, 1.0, -1.0]),
    T([1.0, 0.5, 0.0, 0.0, 1.0], [0.0, 2.0, 1.0, 0.0, 0.0], [0.5, 0.0, 0.0, 1.0, 0.0]),
    T([0.5, 0.0, 1.0, 0.0, 0.5], [1.0, 0.0, 0.0, 0.5, 0.0], [0.0, 1.0, 0.0, 0.5, 0.5]),
    T([1.0, -2.0, 0.0, 0.0, 0.0, 1.0], [4.0, 0.5, 0.0, 0.0, 0.0, 0.0], [2.0, 3.0, 0.0, 0.0, 0.0, 0.0]),
)
ONE_TOKEN = (T([1.0, 2.0]), torch.ones(2, 2), torch.ones(2, 2), T([0.0112, 3.0], [0.0007, 1.0]))
# Queries of 0, so that all keys have the same say.
ALIKE = (T([2.0], [4.0], [9.0]), torch.zeros(1, 2), torch.ones(1, 2), torch.ones(1, 1))
DOUBLE = tuple(matrix.double() for matrix in ALIKE)
# Each query points so far to its own key that it gets its own value.
OWN = (torch.eye(3), 60.0 * torch.eye(3), torch.eye(3), T([2.0], [4.0], [9.0]))
# All scores are 3, whatever divides them: d_k is 1.
SCORES_OF_3 = (
    T([1.0, 2.0], [1.0, 4.0], [1.0, 9.0]),
    T([3.0], [0.0]),
    T([1.0], [0.0]),
    T([0.0], [1.0]),
)
# The scores, the same when transposed, are so far apart that the largest takes it all, whatever divides
# them; and not so far that an exponential overflows.
FAR_APART = (T([0.0], [1.0], [2.0]), T([20.0]), T([1.0]), T([1.0, -5.0]))
NOT_CAUSAL = T([True, False, True], [True, True, False], [False, True, True])


def attention(*inputs):
    return Probe("self_attention", inputs)


# -- same_after_unshuffling ------------------------------------------------------------------

Y = T([4.0, 1.0], [2.0, 6.0], [3.0, 5.0])
FOUR_ROWS = T([4.0, 1.0], [2.0, 6.0], [3.0, 5.0], [7.0, 8.0])
SIX_ROWS = torch.tensor([3.0, 9.0, 1.0, 7.0, 2.0, 5.0])[:, None] + T([0.0, 0.5])
SIX_MOVED = [4, 0, 5, 1, 3, 2]
# Others call it: whether it does what it should, so that they are not blamed for it, nor it for them.
UNSHUFFLED = [
    Probe("unshuffled", (Y[CYCLE], CYCLE)),
    Probe("unshuffled", (SIX_ROWS[SIX_MOVED], SIX_MOVED)),
]

FIVE_ROWS = torch.tensor([5.0, 2.0, 4.0, 1.0, 3.0])[:, None] + T([0.0, 0.5])


def same(off=None, order=CYCLE, y=Y):
    """What is said of y and of its rows in this order, each entry off by so much."""
    y_shuffled = y[order] if off is None else y[order] + torch.as_tensor(off)
    return Probe("same_after_unshuffling", (y, y_shuffled, CYCLE), read="truth")


def other(y, y_shuffled, permutation=CYCLE):
    return Probe("same_after_unshuffling", (y, y_shuffled, permutation), read="truth")


def one_off(row, column, by):
    off = torch.zeros(3, 2)
    off[row, column] = by
    return same(off)


GROSSLY = [
    same(),
    same(order=[0, 1, 2]),
    same(order=[1, 2, 0]),
    same(order=[2, 1, 0]),
    same(order=[0, 2, 1], y=Y.sort(dim=0).values),
    other(torch.zeros(3, 2), Y),
    other(Y[[1, 0, 0]], Y),
    other(FIVE_ROWS, FIVE_ROWS[SHUFFLED], SHUFFLED),
    other(FOUR_ROWS, FOUR_ROWS[[3, 0, 1, 2]], ROUND),  # the same if shuffled once more
    other(FOUR_ROWS, FOUR_ROWS[[2, 3, 0, 1]], ROUND),  # the same if unshuffled twice
    same(off=4e-6),
    same(off=5.0),
]

# -- is_equivariant --------------------------------------------------------------------------

X = T([1.0, 0.5], [-1.0, 2.0], [0.5, -1.5])
W = (T([1.0, 0.0], [0.5, 1.0]), T([1.0, -0.5], [0.0, 1.0]), T([1.0, 2.0, -1.0], [-2.0, 1.0, 0.5]))
# The two columns of the outputs cancel each other.
CANCELLING = (W[0], W[1], T([1.0, -1.0], [2.0, -2.0]))
TABLE = T([0.0, 1.0], [2.0, -1.0], [-1.0, 0.5])
IDENTITY = (torch.eye(3),) * 3
# Both tokens attend to the one with the larger second coordinate, and get its first.
LARGER = (T([0.0], [0.0], [20.0]), T([0.0], [1.0], [0.0]), T([1.0], [0.0], [0.0]))
# All have the same say, and what is left of the sums is lost in rounding unless the large ones meet first.
LARGE = 2.0**60
CANCEL = T([LARGE, LARGE, 1.0], [-LARGE, 1.0, LARGE], [1.0, -LARGE, -LARGE], [0.0, 0.0, 0.0])
AVERAGE = (torch.zeros(3, 2), torch.zeros(3, 2), torch.eye(3))


def experiment(permutation, positions=None, weights=W, x=X):
    given = () if positions is None else (positions,)
    return Probe("is_equivariant", (x, permutation, *weights, *given), read="truth")


WHICH = [
    experiment(CYCLE),
    experiment(CYCLE, weights=OWN[1:], x=OWN[0]),  # True to the last digit
    experiment(CYCLE, TABLE),
    experiment(CYCLE, TABLE, x=X[[0, 0, 0]]),  # True if the outputs are left as they are
    experiment([1, 0, 2], TABLE, x=X[[0, 0, 0]]),  # and if the second is unshuffled twice
    experiment(CYCLE, TABLE, x=1.0 - TABLE),  # True if nothing is shuffled
    experiment([0, 1, 2], TABLE),
    # True if only one gets positions, and False if one gets them twice.
    experiment([0, 1], T([0.0, 2.0, 0.0], [0.0, 0.0, 0.0]), LARGER, T([5.0, 0.0, 1.0], [7.0, 3.0, 1.0])),
    experiment(CYCLE, T([1.0, 2.0, 3.0])[[0, 0, 0]], IDENTITY, torch.eye(3)),  # False if transposed
    experiment(ROUND, None, AVERAGE, CANCEL),  # True if the sequence is compared with itself
    experiment(ROUND, CANCEL, AVERAGE, torch.zeros(4, 3)),  # False if positions are shuffled too
]

# -- tokens_kept -----------------------------------------------------------------------------

FIVE = T([1.0, 0.5], [-1.0, 2.0], [0.5, -1.5], [2.0, 1.0], [-0.5, -2.0])
SEES = T(
    [True, False, True, False, True],
    [True, True, False, False, False],
    [False, True, True, True, False],
    [False, False, True, True, False],
    [True, False, False, True, True],
)


def kept(permutation, mask, shuffled_mask, w_v=W[2], x=FIVE):
    inputs = (x[: len(permutation)], permutation, W[0], W[1], w_v, mask, shuffled_mask)
    return Probe("tokens_kept", inputs, read="numbers in any order")


EVERY_FOUR = torch.ones(4, 4, dtype=torch.bool)
FOUR = EVERY_FOUR.tril()
ALONE = torch.eye(4, dtype=torch.bool)
# All see token 0; in the copy place 0 does, at place 3, and the others see token 1.
ZERO = T([True, False, False, False])[[0, 0, 0, 0]]
SHUFFLED_ZERO = ZERO.clone()
SHUFFLED_ZERO[0] = SHUFFLED_ZERO[0].flip(0)
MOVED = SEES[SHUFFLED][:, SHUFFLED]
ALL_BUT_ONE = MOVED.clone()
ALL_BUT_ONE[1, 2:] = ~ALL_BUT_ONE[1, 2:]

PROBES = {
    "test-self-attention": [attention(*TWO_TOKENS), attention(*ONE_TOKEN), attention(*DOUBLE)],
    "test-mask": [
        attention(*SCORES_OF_3, CAUSAL),
        attention(*FAR_APART, NOT_CAUSAL),
        attention(T([2.0], [4.0], [9e4]), *ALIKE[1:], CAUSAL),
        attention(*ONE_TOKEN, T([True])),
    ],
    "test-unshuffled": [
        Probe("unshuffled", (Y[CYCLE], CYCLE), untouched=True),
        Probe("unshuffled", (T([7.0, 8.0]), [0])),
        Probe("unshuffled", (FIVE_ROWS, SHUFFLED)),
        UNSHUFFLED[1],
        Probe("unshuffled", (Y.double()[CYCLE], CYCLE)),
    ],
    "test-comparison": [
        *UNSHUFFLED,
        *GROSSLY,
        one_off(0, 0, 0.5),
        one_off(1, 1, -0.5),
        one_off(2, 0, 0.5),
        one_off(2, 1, 0.001),
        one_off(1, 0, 3e-5),
        same(off=3e-5),
        same(off=0.5),
        one_off(1, 0, 4e-6),
        same(off=T([0.5, -0.5], [0.5, -0.5], [0.5, -0.5])),
        same(off=T([0.5, 0.0], [-0.5, 0.0], [0.0, 0.0])),
        same(off=4e-6, y=Y / 100),
    ],
    "test-positions": [
        *UNSHUFFLED,
        attention(*OWN),
        attention(*ALIKE),
        *GROSSLY,
        *WHICH,
        experiment(SHUFFLED, x=FIVE),
        experiment(SIX_MOVED, x=torch.cat([FIVE, X[1:2] / 2])),
        experiment([1, 0, 2], TABLE[[0, 0, 1]]),
        experiment(CYCLE, torch.zeros(3, 2)),
        experiment(CYCLE, 0.002 * TABLE),
        experiment(CYCLE, TABLE, CANCELLING),
        replace(experiment([0], T([1.0]), (T([1.0]),) * 3, T([2.0])), untouched=True),
        experiment([1, 0], torch.eye(3)[:2], IDENTITY, T([1.0, 2.0, 0.5], [0.0, 1.0, 2.0])),
    ],
    "test-moved-along": [
        Probe("moved_along", (SEES[:4, :4], [2, 0, 3, 1])),
        Probe("moved_along", (NOT_CAUSAL, CYCLE)),
    ],
    "test-tokens-kept": [
        *UNSHUFFLED,
        attention(*ONE_TOKEN),
        attention(*ONE_TOKEN, T([True])),
        attention(*ALIKE, T([True, False, True], [True, True, False], [True, True, True])),
        kept(CYCLE, EVERY, EVERY),
        kept([1, 0, 2, 3], FOUR, FOUR),
        kept([0, 2, 3, 1], FOUR, FOUR),
        kept(CYCLE, EVERY, CAUSAL),
        kept([2, 1, 0], CAUSAL, CAUSAL),
        kept(ROUND, EVERY_FOUR, EVERY_FOUR, x=FIVE[[0, 0, 1, 2]]),
        kept(ROUND, ZERO, SHUFFLED_ZERO),
        # Each sees itself alone, and no sum is rounded; without masks it is.
        Probe("tokens_kept", (CANCEL, ROUND, *AVERAGE, ALONE, ALONE), read="numbers in any order"),
        kept(SHUFFLED, SEES, MOVED),
        kept(SHUFFLED, SEES, ALL_BUT_ONE),
        kept([1, 0, 2, 3], FOUR, FOUR, T([0.0, 1.0], [0.0, 2.0])),
        kept([1, 0, 2, 3], FOUR, FOUR, T([1.0], [2.0])),
        kept([1, 0, 2, 3], FOUR, FOUR, T([-1.0], [-2.0])),
        kept([1, 0, 2, 3], FOUR, FOUR, 6e-5 * T([1.0, 0.0, 0.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0, 0.0])),
    ],
}

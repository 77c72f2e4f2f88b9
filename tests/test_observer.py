"""What the observer sees of a call, and what it lets pass as a number, a row of numbers, a truth, a tensor."""

import enum
import math
import re
import warnings

import numpy as np
import pytest
import torch

from helpers.observer import mismatch, number, numbers, observe, truth


def test_the_result_comes_back_detached_and_apart_from_what_the_function_keeps():
    kept = torch.ones(2, requires_grad=True)
    result = observe(lambda: {"a": [kept, 1.5, "word", None, True], "b": (1,)}).returned()
    assert result == {"a": [result["a"][0], 1.5, "word", None, True], "b": (1,)}
    assert not result["a"][0].requires_grad, "the result still hangs on the function's graph"
    with torch.no_grad():
        kept.zero_()
    assert torch.equal(result["a"][0], torch.ones(2)), "writing to the function's own tensor changed the observation"


def test_a_function_that_writes_into_its_inputs_is_seen_and_the_caller_keeps_his():
    def fills(scores, rows):
        scores.fill_(7.0)
        rows["a"].append(1)

    scores, rows = torch.zeros(2), {"a": []}
    seen = observe(fills, scores, rows)
    assert torch.equal(seen.inputs[0], torch.full((2,), 7.0)) and seen.inputs[1] == {"a": [1]}, f"seen: {seen.inputs}"
    assert torch.equal(scores, torch.zeros(2)) and rows == {"a": []}, f"the caller's own are now {scores}, {rows}"


def test_gradients_are_those_of_the_result_weighted_by_upstream():
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 5.0])
    seen = observe(lambda x, mask, y: x**2 * y, x, torch.tensor([True, False]), y, upstream=torch.tensor([10.0, 1.0]))
    of_x, of_mask, of_y = seen.gradients
    assert torch.equal(of_x, torch.tensor([60.0, 20.0])), f"2x·y·upstream is [60, 20], got {of_x}"
    assert torch.equal(of_y, torch.tensor([10.0, 4.0])), f"x²·upstream is [10, 4], got {of_y}"
    assert of_mask is None, f"a mask of booleans has no gradient, got {of_mask}"


def test_a_function_that_writes_into_its_input_still_shows_its_gradient():
    seen = observe(lambda x: x.mul_(3.0), torch.ones(2), upstream=torch.ones(2))
    assert seen.error is None, f"writing in place raised {seen.error}: {seen.message}"
    assert torch.equal(seen.gradients[0], torch.full((2,), 3.0)), f"expected 3, got {seen.gradients[0]}"


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.detach(),
        lambda x: torch.ones(2),
        lambda x: x.sum(),  # not of upstream's shape
        lambda x: x.tolist(),
        torch.inference_mode()(lambda x: 2 * x),
    ],
    ids=["detached", "constant", "of another shape", "a list", "in inference mode"],
)
def test_where_no_gradient_arrives_there_is_none(function):
    seen = observe(function, torch.ones(2), upstream=torch.ones(2))
    assert (seen.error, seen.gradients) == (None, (None,)), f"got {seen}"


def test_a_function_sees_gradients_switched_on_whatever_the_caller_did():
    with torch.no_grad():
        seen = observe(lambda x: 2 * x, torch.ones(2), upstream=torch.ones(2))
    assert seen.gradients[0] is not None, "no gradient, because the caller had switched them off"


def test_an_exception_is_data_and_says_so_when_the_result_is_asked_for():
    def breaks(x):
        raise KeyError("d")

    seen = observe(breaks, 1)
    assert (seen.error, seen.message, seen.result, seen.inputs) == ("KeyError", "'d'", None, (1,)), f"got {seen}"
    with pytest.raises(AssertionError, match=r"breaks raised KeyError \(line \d+, `.*`: 'd'\); expected it to return"):
        seen.returned()


def test_a_missing_answer_is_called_one():
    def answer():
        raise NotImplementedError()

    with pytest.raises(AssertionError, match="answer is not answered yet: it raised NotImplementedError. .If you have answered it: "):
        observe(answer).returned()

    def rests_on_it():
        return answer()

    with pytest.raises(AssertionError, match="answer is not answered yet: .*, called from rests_on_it. .If"):
        observe(rests_on_it).returned()


def test_an_operation_that_does_not_exist_is_not_called_a_missing_answer():
    def asks_too_much():
        raise NotImplementedError("no such kernel")

    with pytest.raises(AssertionError, match=r"asks_too_much raised NotImplementedError \(line \d+, `.*`: no such kernel\)"):
        observe(asks_too_much).returned()


def test_a_gradient_that_cannot_be_had_is_an_error():
    def spoils(x):
        weights = x.softmax(-1)
        weights[0] = 0.0  # which softmax needs for its gradient
        return weights

    seen = observe(spoils, torch.ones(2), upstream=torch.ones(2))
    assert seen.error == "RuntimeError" and "on the way back" in seen.message, f"got {seen}"


def test_a_warning_is_kept_quiet():
    def warns():
        warnings.warn("loud")
        return 1

    assert observe(warns).returned() == 1


def test_what_is_not_plain_data_is_refused_and_told_as_returned_not_as_raised():
    for value in (object(), print, ValueError, ValueError("x"), [object()], {"raw": print}, np.array([object()])):
        seen = observe(lambda: value)
        assert seen.error is None and seen.result is None, f"{value!r} came through as {seen}"
        with pytest.raises(AssertionError, match="returned an? .*; expected plain data"):
            seen.returned()


def test_what_is_not_plain_is_told_with_what_it_stands_in_and_without_an_address():
    for value, words in [
        ({"raw": (x for x in "ab")}, "a dict of length 1 with a generator in it;"),
        ([print], "a list of length 1 with a builtin_function_or_method, <built-in function print> in it;"),
        (object(), "an object;"),
        (np.array([object()]), "an ndarray of shape (1,) and dtype object;"),
    ]:
        with pytest.raises(AssertionError, match=re.escape(f"returned {words} expected plain data")):
            observe(lambda: value).returned()


def test_a_subclass_comes_through_as_what_its_base_holds_whatever_it_overrides():
    class Equal(float):
        def __eq__(self, other):
            return True

    class Named(enum.StrEnum):
        FLAT = "flat"

    class Zero(torch.Tensor):
        def double(self):
            return torch.zeros(2, dtype=torch.double)

    assert type(observe(lambda: Equal(3)).returned()) is float
    assert type(observe(lambda: [Named.FLAT]).returned()[0]) is str
    assert mismatch(observe(lambda: torch.ones(2).as_subclass(Zero)).returned(), torch.zeros(2))


def test_what_a_function_leaves_in_a_list_of_the_caller_never_stops_the_observer():
    seen = observe(lambda values: values.append(object()), [1])
    assert seen.error is None and "object" in seen.inputs[0], f"{seen}"


def test_whole_truth_and_complex_tensors_are_compared_as_such():
    for one, other in ((1, 2), (True, False), (1j, 2j)):
        assert mismatch(torch.tensor([one]), torch.tensor([other])), f"{one} and {other} pass as equal"
        assert not mismatch(torch.tensor([one]), torch.tensor([one]))


def test_a_number_beyond_floats_is_refused_in_words():
    with pytest.raises(AssertionError, match="too large"):
        number(10**400)


@pytest.mark.parametrize(
    "value", [0.5, torch.tensor(0.5), torch.tensor(0.5, dtype=torch.float64), np.float32(0.5), np.array(0.5),
              torch.tensor(0.5, requires_grad=True)], ids=repr
)  # fmt: skip
def test_a_number_is_a_number_in_every_guise(value):
    got = number(value)
    assert type(got) is float and got == 0.5, f"got {got!r}"


@pytest.mark.parametrize(
    "value", [None, "0.5", True, torch.tensor(True), torch.tensor([0.5]), [0.5], np.array([0.5]), 0.5j, torch.tensor(0.5j)],
    ids=repr,
)
def test_what_is_not_one_real_number_is_refused_by_what_it_is(value):
    with pytest.raises(AssertionError, match=rf"Got .*({type(value).__name__}|None).*; expected a single number"):
        number(value)


def test_nan_is_a_number_that_every_comparison_fails():
    assert math.isnan(number(torch.tensor(math.nan)))


@pytest.mark.parametrize("values", [[0.5, 1], (0.5, torch.tensor(1.0)), torch.tensor([0.5, 1.0]), np.array([0.5, 1.0])], ids=repr)
def test_a_row_of_numbers_is_one_in_every_guise(values):
    got = numbers(values)
    assert got == [0.5, 1.0] and all(type(value) is float for value in got), f"got {got!r}"


@pytest.mark.parametrize("values", [None, 0.5, "ab", {"a": 1}, torch.tensor(0.5), torch.ones(1, 2), [[0.5]], [0.5, None]], ids=repr)
def test_what_is_not_a_row_of_numbers_is_refused(values):
    with pytest.raises(AssertionError, match="expected a (list of numbers|single number)"):
        numbers(values)


@pytest.mark.parametrize("value", [True, np.True_, np.array(True), torch.tensor(True)], ids=repr)
def test_a_truth_is_one_in_every_guise(value):
    assert truth(value) is True, f"got {truth(value)!r}"
    assert truth(False) is False and truth(torch.tensor(False)) is False


@pytest.mark.parametrize("value", [None, 1, 0.0, "True", torch.tensor([True]), torch.tensor(1), np.array([True]), [True]], ids=repr)
def test_what_is_neither_true_nor_false_is_refused_by_what_it_is(value):
    with pytest.raises(AssertionError, match=rf"Got .*({type(value).__name__}|None).*; expected True or False"):
        truth(value)


def test_a_refusal_names_what_it_looked_at_and_the_entry():
    for look, value, words in (
        (number, "x", "Got the peak as a str, 'x'; expected a single number"),
        (numbers, [2, True], "Got entry 1 of the peak as a bool, True; expected a single number"),
        (numbers, torch.ones(3, 1), "Got the peak as a Tensor of shape (3, 1) and dtype torch.float32; expected a list of numbers"),
        (truth, 1, "Got the peak as an int, 1; expected True or False"),
        (number, 10**400, "Got the peak as a number too large"),
    ):
        with pytest.raises(AssertionError, match=re.escape(words)):
            look(value, "the peak")


EXPECTED = torch.tensor([[0.25, 0.75, 0.0], [math.nan, math.inf, 1.0]])


def changed(entry, value):
    got = EXPECTED.clone()
    got[entry] = value
    return got


def test_equal_but_for_rounding_is_no_mismatch():
    for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        expected = EXPECTED.to(dtype)
        got = expected * (1 + 4 * torch.finfo(dtype).eps)
        assert mismatch(got, expected) == "", f"{dtype}: {mismatch(got, expected)}"


@pytest.mark.parametrize(
    "got, words",
    [
        (None, "it is None"),
        (0.25, "it is a float, 0.25 instead of a tensor"),
        (EXPECTED.numpy(), "it is an ndarray of shape (2, 3)"),
        (EXPECTED[None], "its shape is (1, 2, 3) instead of (2, 3)"),
        (EXPECTED.double(), "its dtype is torch.float64 instead of torch.float32"),
        (changed((0, 1), 0.74), "1 of 6 entries differ, the first at [0, 1], where it is 0.74"),
        (changed((0, 1), math.nan), "where it is nan"),
        (changed((1, 0), 0.5), "where it is 0.5"),
        (changed((1, 1), -math.inf), "where it is -inf"),
        (changed((1, 1), 3e38), "where it is 3e+38"),
        (changed((0, 2), 1e-30), "where it is 1e-30"),  # an expected 0 is an exact one
        (torch.zeros(2, 3), "5 of 6 entries differ"),
    ],
)
def test_a_mismatch_is_put_in_words(got, words):
    assert words in mismatch(got, EXPECTED), f"got {mismatch(got, EXPECTED)!r}"


def test_a_mismatch_of_booleans_speaks_of_true_and_false():
    assert mismatch(torch.tensor([True, True]), torch.tensor([True, False])).endswith("at [1], where it is True")
    assert mismatch(torch.tensor([12345]), torch.tensor([1])).endswith("where it is 12345")


def test_a_mismatch_does_not_give_the_expected_value_away():
    assert "0.75" not in mismatch(changed((0, 1), 0.5), EXPECTED)

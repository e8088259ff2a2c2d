"""What differs between two runs of the original is no difference of a rewrite; what a call changes must stay."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from breaklint.verify.arm.accuracy import compare  # noqa: E402 - needs torch
from breaklint.verify.arm.comparable import comparable, interface_differences  # noqa: E402
from breaklint.verify.arm.varying import blanked, named, varying  # noqa: E402


@pytest.mark.parametrize(
    ("one", "other", "actual", "equal"),
    [
        pytest.param({"s": 0.1}, {"s": 0.2}, {"s": 0.3}, True, id="a timer"),
        pytest.param({"s": 0.1, "n": 1}, {"s": 0.2, "n": 1}, {"s": 0.3, "n": 0}, False, id="a count beside a timer"),
        pytest.param(
            {"m": {"s": 1, "n": 1}}, {"m": {"s": 2, "n": 1}}, {"m": {"s": 3, "n": 0}}, False, id="in an object"
        ),
        pytest.param({"m": {"7": 1}}, {"m": {"8": 1}}, {"m": {"9": 1}}, True, id="keys that are addresses"),
        pytest.param({"m": [1, 2]}, {"m": [1, 3]}, {"m": [0, 4]}, False, id="in a list"),
        pytest.param({"n": 1}, {"n": 1}, {"n": 2}, False, id="nothing varies"),
    ],
)
def test_what_varies_by_itself_is_not_compared(one: object, other: object, actual: object, equal: bool) -> None:
    paths = varying({"state": one}, {"state": other})
    lines = compare(blanked({"state": one}, paths), {"state": actual}, "result")
    assert (lines == []) == equal
    assert bool(named(paths)) == (one != other)


def test_results_are_never_taken_to_vary() -> None:
    assert varying({"output": 1}, {"output": 2}) == []


def record(**program: object) -> dict[str, object]:
    built = {"settings": {}, "drawn": "", "globals": {"n": 0, "k": 1}, "state_dict": ["w"], "parameters": {"x": "kind"}}
    built |= {"order": ["w", "v"], "buffers": ["o"], "pickle": ""}
    return {"memory": {}, "settings": {}, "globals": {"n": 1, "k": 1}, "state": {}, "built": {**built, **program}}


@pytest.mark.parametrize(("left", "lines"), [({"k": 1}, ["result.globals.n is gone"]), ({"n": 1}, [])])
def test_a_global_may_go_unless_a_call_changes_it(left: dict[str, int], lines: list[str]) -> None:
    assert compare(*comparable(record(), {**record(), "globals": left}), "result") == lines


@pytest.mark.parametrize(
    ("program", "same", "lines"),
    [
        ({}, True, []),
        ({"state_dict": ["w", "b"]}, False, []),
        ({"state_dict": ["w", "b"]}, True, ["the state dict has the new key 'b'"]),
        ({"state_dict": []}, False, ["the state dict has no key 'w'"]),
        ({"parameters": {"y": "kind"}}, False, ["forward has no parameter 'x'", "forward has the new parameter 'y'"]),
        ({"parameters": {"x": "kind", "y": "kind = 1"}}, False, []),
        ({"parameters": {"x": "kind = 2"}}, False, ["forward's parameter 'x' is kind = 2, not kind"]),
        ({"buffers": ["o", "p"], "order": ["w", "u", "v"]}, False, []),
        ({"buffers": []}, False, ["'o' is no buffer any more: `.to()` leaves it where it is"]),
        (
            {"order": ["v", "w"]},
            False,
            ["its parameters come in another order, by which optimizers know them: v, w"],
        ),
        ({"pickle": "it has a lambda"}, False, ["it can no longer be pickled: it has a lambda"]),
    ],
)
def test_the_interface_of_a_model(program: dict[str, object], same: bool, lines: list[str]) -> None:
    assert interface_differences(record(), record(**program), same) == lines

"""Remedies: what is written for a guard that fails, and that torch then compiles as often as is said."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from breaklint.recompiles.objects import Tensor
from breaklint.recompiles.options import Mark, Options
from breaklint.recompiles.predict import Predicted, predict
from breaklint.recompiles.remedies import Remedy, remedies
from breaklint.recompiles.vary import read_variations
from breaklint.verify.arm.sweep import sweep

NET = """import math

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.step, self.cut = 0, 3
        self.linear = nn.Linear(8, 8)

    def forward(self, x, scale=1.0, n=2):
        return self.linear(x) * scale * n


class Counter(Net):
    def forward(self, x):
        self.step += 1
        return x * self.step


class Cut(Net):
    def forward(self, x):
        return x[: self.cut] + 1


def pair(x, y):
    return x.sum(0) + y.sum(0)


def rows(x):
    return torch.stack([row * 2 for row in x])


def long(x):
    return x * 2 if x.shape[0] > 5 else x + 1


def at_five(x):
    return x * 2 if x.shape[0] == 5 else x + 1


def mode(x, name="a"):
    return x + (1 if name == "a" else 2)


def total(xs):
    return sum(x.sum() for x in xs)
"""
INPUTS = {"x": Tensor((4, 8)), "y": Tensor((4, 8))}
SPECS = {"x": "f32[4, 8]", "y": "f32[4, 8]"}


@pytest.fixture
def net(tmp_path: Path) -> str:
    path = tmp_path / "net.py"
    path.write_text(NET)
    return str(path)


def found(
    net: str, entry: str, vary: Sequence[str], options: Options | None = None, target: str = "2.13"
) -> tuple[Predicted, list[Remedy]]:
    """The prediction for an entry, and its remedies."""
    variations, options = read_variations(vary), options or Options()
    inputs = {name: each for name, each in INPUTS.items() if name == "x" or entry == "pair"}

    def run(options: Options, tensors: frozenset[str]) -> Predicted:
        return predict(net, entry, variations, options, "", {} if entry == "total" else inputs, tensors)

    before = run(options, frozenset())
    return before, remedies(before, run, variations, options, target)


SHOWN = [
    ("Net", ["x.0=4,5,6,7"], ["mark_dynamic(x, 0)"], 1),
    ("Net", ["x.0=4,5,6,1,7"], ["mark_dynamic(x, 0)"], 2),
    ("Net", ["scale=0.5,0.6,0.7"], ["pass torch.tensor(scale) for scale"], 1),
    ("Net", ["n=2,3,4"], ['shapes_spec={"n": IntVar("n")}'], 1),
    ("Net", ["n=2,3,4", "x.0=4,5,6"], ["mark_dynamic(x, 0) before the call; pass torch.tensor(n) for n"], 1),
    ("Net", ["scale=0.5,0.6,0.7", "x.0=4,5,6"], ["mark_dynamic(x, 0) before the call; pass torch.tensor(scale)"], 1),
    ("at_five", ["x.0=4,5,6,7"], ["torch._dynamo.maybe_mark_dynamic(x, 0) before the call"], 2),
    ("pair", ["x.0=4,5,6", "y.0=4,9,8"], ["mark_dynamic(x, 0); torch._dynamo.mark_dynamic(y, 0)"], 1),
    ("Counter", ["x.0=4,4,4,4"], ['self.register_buffer("step", torch.tensor(self.step), persistent=False)'], 1),
    ("Cut", ["self.cut=1,2,3,5"], ["allow_unspec_int_on_nn_module = True"], 3),
    ("rows", ["x.0=2,3,4,5,6,7,8,9,10"], ["pad dimension 0 of x to a few sizes; or, if these are all its values"], 9),
]


@pytest.mark.parametrize(("entry", "vary", "texts", "count"), SHOWN, ids=lambda each: str(each)[:40])
def test_torch_compiles_as_often_as_the_remedy_says(
    net: str, entry: str, vary: list[str], texts: list[str], count: int
) -> None:
    _, steps = found(net, entry, vary)
    shown = [step for step in steps if step.compilations is not None]
    assert all(text in step.text for text, step in zip(texts, shown, strict=True))
    assert shown[-1].compilations == count
    variations = [{"argument": v.argument, "part": v.part, "values": [*v.values]} for v in read_variations(vary)]
    inputs = {name: spec for name, spec in SPECS.items() if name == "x" or entry == "pair"}
    request = {"path": net, "entry": entry, "variations": variations, "inputs": inputs}
    counted = sweep(request | {"remedy": shown[-1].as_request(), "limit": shown[-1].options.limit})["calls"]
    assert [call.get("error") for call in counted] == [None] * len(counted)
    assert sum(call["compiles"] for call in counted) == count


@pytest.mark.parametrize(
    ("entry", "vary", "text"),
    [
        ("rows", ["x.0=2,3,4"], "pad dimension 0 of x to a few sizes (row 33 fixes it)"),
        ("mode", ["name=a,b,c"], "name compiles once for each of its values: nothing to write while they are few"),
        ("total", ["xs.len=2,3,4"], "give xs one length: stack it into a tensor, or pad it"),
        ("Net", ["x.dtype=float32,float64"], "give x the same dtype at each call, as x.float()"),
    ],
)
def test_advice_where_no_prediction_shows_a_remedy(net: str, entry: str, vary: list[str], text: str) -> None:
    _, steps = found(net, entry, vary)
    assert [(step.text, step.compilations) for step in steps] == [(text, None)]


def test_what_compiles_once_needs_nothing(net: str) -> None:
    assert found(net, "Net", ["x.0=4,4,4"])[1] == []


@pytest.mark.parametrize(
    ("target", "text"), [("2.15", "dynamic_shapes="), ("2.13", "shapes_spec="), ("2.11", "pass torch.tensor(n) for n")]
)
def test_the_text_is_that_of_the_target(net: str, target: str, text: str) -> None:
    assert text in found(net, "Net", ["n=2,3,4"], target=target)[1][0].text


@pytest.mark.parametrize(
    ("entry", "mark", "row"),
    [
        ("rows", Mark("x", 0), 33),
        ("long", Mark("x", 0, 2, 64), 37),
        ("long", Mark("x", 0), None),
        ("long", Mark("x", 0, 6, 64), None),
        ("Net", Mark("x", 0, 2, 64), None),
        ("Net", Mark("x", 1), 14),
    ],
)
def test_a_marked_size_that_the_code_fixes_raises_at_its_row(net: str, entry: str, mark: Mark, row: int | None) -> None:
    before, _ = found(net, entry, ["x.0=8,9"], Options(marks=(mark,)))
    outcome = before.calls[0][1]
    assert (outcome.ends, outcome.guard and outcome.guard.row) == ("ConstraintViolationError" if row else "", row)


def test_a_range_that_a_branch_cuts_is_left_out(net: str) -> None:
    _, steps = found(net, "long", ["x.0=8,9"], Options(marks=(Mark("x", 0, 2, 64),)))
    assert [step.text.endswith("without min= and max=") for step in steps] == [True]

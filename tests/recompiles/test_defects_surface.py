"""What raises while calls are followed: the program, or breaklint itself, whose defects are named and not followed."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from breaklint.lint.engine import check_source
from breaklint.lint.run import run_text
from breaklint.model import Settings
from breaklint.project.project import Project
from breaklint.recompiles import builtin_calls, layers, more_operations, operations
from breaklint.recompiles.machine import Machine
from breaklint.recompiles.objects import UNKNOWN, Bound, External, Obj, Tensor
from breaklint.recompiles.options import Options
from breaklint.recompiles.scopes import Raised, Undecided
from breaklint.recompiles.sources import Source
from breaklint.recompiles.symbols import Sym
from breaklint.recompiles.tracing import FrameState, Trace
from breaklint.recompiles.world import World

COUNTER = """import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0

    def forward(self, x):
        self.steps += 1
        {body}
        return torch.flatten(x) * self.steps


def main():
    net = torch.compile(Net())
    for _ in range(100):
        net(torch.ones(4, 8))
"""
_ = more_operations  # enters its functions in the table


def _checked(body: str) -> tuple[list[str], list[str]]:
    result = check_source(COUNTER.format(body=body), "net.py", Settings(target_torch="2.13"))
    codes = [each.code for each in result.findings if each.effect.value == "recompile"]
    return codes, [each.message for each in result.errors]


@pytest.mark.parametrize("error", [LookupError, TypeError, ValueError, ArithmeticError, AttributeError, IndexError])
def test_a_defect_of_an_operation_is_named(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def flatten(x: Tensor, *_: Any) -> Tensor:
        raise error("no such size")

    monkeypatch.setitem(operations.TABLE, "flatten", flatten)
    told = run_text(COUNTER.format(body="pass").encode(), "net.py", Settings(target_torch="2.13")).errors
    assert any("bug in" in each and "no such size" in each for each in told), told


@pytest.mark.parametrize(
    "body",
    [
        '{}["missing"]',
        "[][3]",
        "1 / 0",
        'int("one")',
        "[].pop()",
        '"a" + 1',
        "{[]: 1}",
        "torch.zeros(2) + torch.zeros(3)",
    ],
)
def test_code_that_raises_is_followed_as_raising(body: str) -> None:
    """Each call ends there: the multiplication with the counter is never reached, and a handler is."""
    assert _checked(f"try:\n            {body}\n        except Exception:\n            self.steps = 0") == ([], [])
    assert _checked(f"y = {body}")[1] == []


def _values(trace: Trace, chance: random.Random) -> Any:
    """A value of any kind."""
    source = Source("n", lambda world: world.arguments["n"])
    size = Sym(4, source, trace)
    tensors = [Tensor(None), Tensor(()), Tensor((size, 3)), Tensor((2, UNKNOWN)), Tensor((2, 3, 4, 4), "int64")]
    plain = [
        UNKNOWN,
        size,
        0,
        1,
        -1,
        2,
        7,
        0.5,
        None,
        True,
        "a",
        "ij,jk->ik",
        External("torch.int64"),
        Obj("torch.nn.Linear"),
    ]
    kinds = [*plain, *tensors, tensors[2], tensors[4], slice(None), Bound(tensors[0], "size")]
    if chance.random() < 0.25:
        kinds = [
            [],
            (),
            (2, 3),
            [size, 2],
            (1, UNKNOWN),
            (-1, size),
            [tensors[2], tensors[2]],
            [tensors[2], UNKNOWN],
            {"a": 1},
        ]
    return chance.choice(kinds)


@pytest.mark.parametrize("name", [*operations.TABLE, "relu", "add", "sum", "max", "to", "where", "unknown_one"])
def test_operations_answer_for_arguments_of_any_kind(name: str) -> None:
    chance = random.Random(name)
    for _ in range(300):
        trace = Trace(FrameState(), Options())
        args = [_values(trace, chance) for _ in range(chance.randrange(5))]
        names = chance.sample(["dim", "size", "keepdim", "dtype", "n"], chance.randrange(2))
        with suppress(Raised):
            operations.apply(name, tuple(args), {each: _values(trace, chance) for each in names})


@pytest.mark.parametrize(
    "name", [*builtin_calls.SPECIAL, *builtin_calls.PLAIN, "list", "sum", "int", "enumerate", "set", "dict"]
)
def test_builtins_answer_for_arguments_of_any_kind(name: str) -> None:
    chance = random.Random(name)
    for _ in range(300):
        trace = Trace(FrameState(), Options())
        machine = Machine(Project([], lambda path: ""), World({"n": 4}, {}), trace)
        with suppress(Raised, Undecided):
            builtin_calls.call(machine, name, [_values(trace, chance) for _ in range(chance.randrange(4))], {})


STEPS: dict[str, Callable[[Machine, Any, Any, Any], Any]] = {
    "index": lambda machine, one, two, three: machine.index(one, two),
    "index-of-many": lambda machine, one, two, three: machine.index(one, (two, three)),
    "operate": lambda machine, one, two, three: machine.operate(ast.Mult(), one, two),
    "format": lambda machine, one, two, three: machine.operate(ast.Mod(), one, two),
    "compare": lambda machine, one, two, three: machine.compare(ast.Lt(), one, two),
    "equal": lambda machine, one, two, three: machine.compare(ast.Eq(), one, two),
    "contains": lambda machine, one, two, three: machine.compare(ast.In(), one, two),
    "truth": lambda machine, one, two, three: machine.truth(one),
    "iterated": lambda machine, one, two, three: machine.iterated(one),
    "store": lambda machine, one, two, three: machine.store_item(one, two, three),
    "delete": lambda machine, one, two, three: machine.delete_item(one, two),
    "attribute": lambda machine, one, two, three: machine.attribute(one, "shape"),
    "call": lambda machine, one, two, three: machine.call(one, [two], {"dim": three}),
    "library": lambda machine, one, two, three: machine.call(External("collections.deque"), [one, two], {}),
}


@pytest.mark.parametrize("name", STEPS)
def test_steps_answer_for_values_of_any_kind(name: str) -> None:
    chance = random.Random(name)
    for _ in range(1000):
        trace = Trace(FrameState(), Options())
        machine = Machine(Project([], lambda path: ""), World({"n": 4}, {}), trace)
        with suppress(Raised, Undecided):
            STEPS[name](machine, *(_values(trace, chance) for _ in range(3)))


METHODS = {
    "list": "append extend insert pop remove index count sort reverse copy clear",
    "dict": "get pop setdefault items keys values update copy clear popitem",
    "str": "join split startswith format strip upper replace",
    "Tensor": "size dim numel view reshape permute new_zeros expand chunk to type sum max item unsqueeze stride",
    "Module": "append extend insert items train eval parameters register_buffer to add_module forward",
}


@pytest.mark.parametrize("kind", METHODS)
def test_methods_answer_for_arguments_of_any_kind(kind: str) -> None:
    chance = random.Random(kind)
    for name in METHODS[kind].split():
        for _ in range(100):
            trace = Trace(FrameState(), Options())
            machine = Machine(Project([], lambda path: ""), World({"n": 4}, {}), trace)
            owners = {
                "list": [1, 2],
                "dict": {"a": 1},
                "str": "a{}b",
                "Tensor": Tensor((Sym(4, Source("n", lambda world: 4), trace), 3)),
                "Module": layers.build("torch.nn.ModuleList", [[Obj("torch.nn.ReLU", {}, True)]], {}),
            }
            args = [_values(trace, chance) for _ in range(chance.randrange(4))]
            with suppress(Raised, Undecided):
                machine.call(Bound(owners[kind], name), args, {})
                machine.iterated(owners[kind])


@pytest.mark.parametrize(
    "name", [*layers.NAMES, "Conv2d", "ConvTranspose2d", "MaxPool2d", "AdaptiveAvgPool2d", "MSELoss", "GLU"]
)
def test_layers_answer_for_arguments_of_any_kind(name: str) -> None:
    chance = random.Random(name)
    for _ in range(300):
        trace = Trace(FrameState(), Options())
        machine = Machine(Project([], lambda path: ""), World({"n": 4}, {}), trace)
        with suppress(Raised, Undecided):
            layer = External(f"torch.nn.{name}")
            made = machine.call(layer, [_values(trace, chance) for _ in range(chance.randrange(4))], {})
            machine.call(made, [_values(trace, chance) for _ in range(chance.randrange(1, 3))], {})

"""Modules as attributes: `nn.LSTM(8, 8).to(device)` stays known, as do parameters that are annotated with a class."""

from __future__ import annotations

import inspect
import typing

import pytest
from harness import findings, marked

from breaklint.interp.models.torch_names import RETURNING_MODULE

torch = pytest.importorskip("torch")

MADE = {
    "a layer": ("torch.nn.LSTM(8, 8)", "self.part(x)[0]"),
    "a container": ("torch.nn.ModuleList([torch.nn.LSTM(8, 8)])", "self.part[0](x)[0]"),
    "modules by name": ('torch.nn.ModuleDict({"a": torch.nn.LSTM(8, 8)})', 'self.part["a"](x)[0]'),
    "a module of the project": ("Inner()", "self.part.lstm(x)[0]"),
}
CALLS = ["to('cpu')", "double()", "eval()", "requires_grad_(False)", "apply(start)", "cpu().float().train()"]
TEXT = """
import torch
def start(module):
    pass
class Inner(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(8, 8)
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.part = {made}.{call}
    def forward(self, x):
        return {use}  # BRK602
"""


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("made", MADE)
def test_a_module_that_is_moved_is_the_module(made: str, call: str) -> None:
    text = TEXT.format(made=MADE[made][0], use=MADE[made][1], call=call)
    assert findings(text) == marked(text)


def test_the_methods_are_those_of_which_torch_says_so() -> None:
    functions = inspect.getmembers(torch.nn.Module, inspect.isfunction)
    said = {name for name, function in functions if inspect.signature(function).return_annotation == typing.Self}
    assert RETURNING_MODULE - {"to"} == said  # which has overloads, and so no annotation of its own
    layer = torch.nn.Linear(2, 2)
    assert layer.to("cpu") is layer


def test_what_a_row_of_modules_appends_returns_the_row() -> None:
    text = """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = torch.nn.ModuleList([torch.nn.LSTM(8, 8)]).append(torch.nn.LSTM(8, 8))
    def forward(self, x):
        return self.parts[-1](x)[0]  # BRK602
"""
    assert findings(text) == marked(text)


ANNOTATED = """
import torch
class Dynamics(torch.nn.Module):
    def forward(self, x):
        raise NotImplementedError
    def predict(self, x):
        if torch.isnan(x).any():  # BRK301
            x = x * 0
        return x
class Diffusion(torch.nn.Module):
    def __init__(self, dynamics: Dynamics, steps: int):
        super().__init__()
        self.dynamics, self.steps = dynamics, steps
    def forward(self, x):
        return self.dynamics.predict(x * self.steps)
"""
COMPUTED_NAMES = """
import torch
class Sized:
    def __init__(self, shape, order=2):
        self.shape, self.order = shape, order
class Filters(torch.nn.Module, Sized):
    def __init__(self, shape, order=2):
        torch.nn.Module.__init__(self)
        Sized.__init__(**locals())
        for index in range(3):
            self.register_buffer("filter" + str(index), torch.ones(2))
    def forward(self, x: torch.Tensor):
        if x.shape[-1] != self.shape[-1] or self.order < 2:
            raise ValueError(x.shape)
        if self.filter0.sum() > 0:  # BRK301
            x = x * 2
        return x
"""


@pytest.mark.parametrize("text", [ANNOTATED, COMPUTED_NAMES], ids=["annotated modules", "names that are computed"])
def test_attributes_that_a_constructor_takes(text: str) -> None:
    assert findings(text) == marked(text)

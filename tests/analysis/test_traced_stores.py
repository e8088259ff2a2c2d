"""Whether every call of a function and every store of an attribute that a fix rests on was traced."""

from __future__ import annotations

import pytest

from breaklint.lint.engine import Engine
from breaklint.model import Settings

GRADIENT = """\
import torch
from torch.autograd import Variable


class Shake(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        beta = torch.rand(grad.size(0))
        return Variable(beta) * grad


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return Shake.apply(x)


def train(net, x, given):
    {call}
"""
NO_CALLS = ["net(x).sum().backward()", "loss = net(x)\n    loss.backward(retain_graph=True)", "pass"]
CALLS = [
    "Shake.backward(given, 3)",
    "given.backward(*x)",
    "back = Shake.backward\n    back(x, 3)",
    "given.backward(x, 3)",
]


def safe(call: str) -> bool:
    return bool(Engine(Settings()).fix("net.py", GRADIENT.format(call=call), False).fixed)


@pytest.mark.parametrize("call", NO_CALLS)
def test_the_backward_of_a_loss_is_not_that_of_a_function(call: str) -> None:
    assert safe(call)


@pytest.mark.parametrize("call", CALLS)
def test_code_that_may_call_backward_with_other_values_is_a_doubt(call: str) -> None:
    assert not safe(call)


SLICED = """\
import torch
from torch.autograd import Variable


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rate = 1
        self.wide = True

    def reset(self, rate):
        self.rate = rate

    def forward(self, x: torch.Tensor, y):
        {lines}
        return Variable(t) * self.rate
"""
APART = ["t = x", "t = x * 2\n        n = self.rate + 1", "t = x\n        if self.wide:\n            t = x + 1"]
RESTING = [
    "t = x * self.rate",
    "n = self.rate\n        t = x * n",
    "t = y\n        if self.rate:\n            t = x",
    "t = y if self.rate > 1 else x",
    "for t in [x] * self.rate:\n            x = t + 1",
    "t = y\n        while self.rate:\n            t = x",
    "t = x\n        if self.rate > 1:\n            t = y",
]


@pytest.mark.parametrize("lines", APART)
def test_a_store_that_what_a_fix_rests_on_does_not_read_is_no_doubt(lines: str) -> None:
    assert Engine(Settings()).fix("net.py", SLICED.format(lines=lines), False).fixed


@pytest.mark.parametrize("lines", RESTING)
def test_a_store_that_decides_what_a_fix_rests_on_is_a_doubt(lines: str) -> None:
    assert not Engine(Settings()).fix("net.py", SLICED.format(lines=lines), False).fixed

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
        beta = grad * 2
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


STORING = """\
import torch
from torch.autograd import Variable


class Holder:
    def __init__(self):
        self.held = torch.ones(1)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = torch.ones(1)
        self.other = torch.ones(1)
        self.holder = Holder()

    def reset(self):
        self.other = None

    def put(self, found):
        found.append(self.other)

    def update(self):
        self.kept = self.other

    def forward(self, x: torch.Tensor):
        {lines}
"""
THROUGH = [
    "self.kept = self.other\n        return Variable(self.kept)",
    "self.update()\n        return Variable(self.kept)",
    "self.holder.held = self.other\n        return Variable(self.holder.held)",
    "found = []\n        found.append(self.other)\n        return Variable(found[0])",
    "found = {'a': x}\n        found['a'] = self.other\n        return Variable(found['a'])",
    "found = []\n        self.put(found)\n        return Variable(found[0])",
    "found = [x]\n        again = found\n        again[0] = self.other\n        return Variable(found[0])",
    "t = x\n        while x.dim() > 1:\n            x = Variable(t)\n            t = self.other\n        return x",
]
BEHIND = [
    "t = x\n        made = Variable(t)\n        t = self.other\n        return made if t is None else made * 2",
    "t = self.other\n        t = x\n        return Variable(t) if t.dim() else self.other",
]


@pytest.mark.parametrize("lines", THROUGH)
def test_what_another_part_of_the_function_stored_is_what_a_fix_rests_on(lines: str) -> None:
    assert not Engine(Settings()).fix("net.py", STORING.format(lines=lines), False).fixed


@pytest.mark.parametrize("lines", BEHIND)
def test_a_value_that_does_not_reach_what_a_fix_rests_on_is_no_doubt(lines: str) -> None:
    assert Engine(Settings()).fix("net.py", STORING.format(lines=lines), False).fixed


STORED = """\
import torch
from torch.autograd import Variable


class Base(torch.nn.Module):
    def scale(self, x: torch.Tensor):
        n = x * 2
        return Variable(n)

    def forward(self, x: torch.Tensor):
        return self.scale(x)


class Other(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.ReLU()
        {line}

    def forward(self, x: torch.Tensor):
        return x * 2
"""


@pytest.mark.parametrize(("line", "safe"), [("", True), ("self.call = self.scale", False)])
def test_what_is_stored_under_the_name_of_a_function_does_not_call_it(line: str, safe: bool) -> None:
    assert bool(Engine(Settings()).fix("net.py", STORED.format(line=line), False).fixed) is safe


KINDS = """\
import torch
from torch.autograd import Variable


class Net(torch.nn.Module):
    def __init__(self, bins=10):
        super().__init__()
        self.bins = bins

    def error(self, x):
        return x * 2

    def places(self, g):
        return torch.floor(g * self.bins).long()

    def note(self, places):
        pass

    def forward(self, x: torch.Tensor):
        g = torch.abs(self.error(x)).detach()
        place = self.places(g)
        {before}
        count = torch.zeros(self.bins)
        for i in range(self.bins):
            count[i] = (place == i).sum().item()
        return count


class Own(Net):
    {below}
"""
MATTERS = {
    "what makes it": ("pass", "def places(self, g):\n        return [3]"),
    "what is called with it": ("self.note(place)", "def note(self, places):\n        places.data = None"),
}
NO_MATTER = {
    "what torch makes a tensor of": ("pass", "def error(self, x):\n        return 3"),
    "what is called with others": ("self.note(x)", "def note(self, places):\n        places.data = None"),
}


def stored(before: str, below: str) -> bool:
    text = KINDS.format(before=before, below=below)
    result = Engine(Settings()).fix("net.py", text, False)
    assert not result.errors
    return "BRK201" in dict(result.fixed)


@pytest.mark.parametrize("way", MATTERS)
def test_a_subclass_that_may_make_no_tensor_of_it_is_a_doubt(way: str) -> None:
    assert stored("pass", "pass")
    assert not stored(*MATTERS[way])


@pytest.mark.parametrize("way", NO_MATTER)
def test_a_subclass_that_changes_what_torch_makes_a_tensor_of_is_none(way: str) -> None:
    assert stored(*NO_MATTER[way])


SIZES = KINDS.replace("count[i] = (place == i).sum().item()", "count = count + Variable(place)")


@pytest.mark.parametrize("below", ["pass", *(below for _, below in NO_MATTER.values())])
def test_of_what_is_wrapped_in_a_variable_the_kind_alone_matters(below: str) -> None:
    text = SIZES.format(before="pass", below=below)
    assert "Variable(place)" not in (Engine(Settings()).fix("net.py", text, False).text or text)


STORES = """\
import torch
from torch.autograd import Variable


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("offset", torch.zeros(2))

    def keep(self):
        self.kept = self.offset

    def forward(self, x: torch.Tensor):
        self.keep()
        return Variable(self.kept) * x


def change(net):
    {line}
"""


@pytest.mark.parametrize(("line", "safe"), [("pass", True), ("net.__dict__['offset'] = True", False)])
def test_of_an_attribute_that_the_function_stores_it_matters_what_that_is_made_of(line: str, safe: bool) -> None:
    assert ("BRK601" in dict(Engine(Settings()).fix("net.py", STORES.format(line=line), False).fixed)) is safe

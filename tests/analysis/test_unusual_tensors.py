"""What proofs take for granted of tensors, and files that show otherwise."""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from breaklint.analysis.shown import OTHERWISE
from breaklint.lint.engine import Engine
from breaklint.model import Settings

MODEL = """\
import numpy as np
import torch
from torch.autograd import Variable


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.tensor(2))
        self.sizes = [1, 2]
        self.deep = len(self.sizes) > 5

    def forward(self, x: torch.Tensor):
        {body}
        return x


"""
BODIES = {
    "a selection": "y = torch.tanh(x); x = torch.where(y.sum() > 0, y * 2.0, y) if False else y\n"
    "        if y.mean() > 0:\n            x = y * 2.0\n        else:\n            x = y * 3.0",
    "a number that is read later": "n = self.count.item()\n        if self.deep:\n            x = x * n",
    "a number that is stored": "c = torch.zeros(3)\n        c[0] = (x == 0).sum().item()",
    "a product": "x = x * int(np.prod(x.shape))",
}
ANY_DATA = {
    "a variable": "x = Variable(x)",
    "a flag": "x.requires_grad = False",
}
OWN_CLASS = {
    "a subclass": "class Own(torch.Tensor):\n    pass",
    "a subclass of parameters": "class Own(object, torch.nn.Parameter):\n    pass",
    "a subclass under another name": "from torch import Tensor as T\nclass Own(T):\n    pass",
    "a subclass of an alias": "T = torch.nn.Parameter\nclass Own(T):\n    pass",
    "a subclass that type makes": "Own = type('Own', (torch.Tensor,), {})",
    "a mode": "from torch.overrides import TorchFunctionMode",
    "an override": "class Own:\n    @classmethod\n    def __torch_function__(cls, *given):\n        return 7",
}
# What asks for sizes alone, and what that holds of too.
OF_SIZES = {
    "a product": ("a sparse tensor", "a quantized tensor", "no data", "no data yet"),
}
OTHER_DATA = {
    "no data": "x = torch.ones(3, device='meta')",
    "no data yet": "with torch.device('meta'):\n    net = Net()",
    "a sparse tensor": "x = torch.eye(3).to_sparse()",
    "a quantized tensor": "x = torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.qint8)",
    "a nested tensor": "x = torch.nested.nested_tensor([torch.ones(3)])",
    "a map over a batch": "f = torch.vmap(Net())",
    "a function of gradients": "f = torch.func.grad(Net())",
    "a trace": "f = torch.jit.trace(Net(), torch.ones(3))",
    "a trace by symbols": "f = torch.fx.symbolic_trace(Net())",
    "a script": "f = torch.jit.script(Net())",
}
USUAL = {
    "an option of another name": "layer = torch.nn.TransformerEncoder(None, 1, enable_nested_tensor=False)",
    "a class of layers": "class TensorLayer(torch.nn.Module):\n    pass",
    "a word": "metadata = {'metadata': 'sparse attention'}",
}


def safe_fixes(body: str, below: str = "") -> dict[str, int]:
    """The safe fixes of a model, by their rule."""
    return dict(Engine(Settings()).fix("net.py", f"{MODEL.format(body=body)}{below}\n", False).fixed)


@pytest.mark.parametrize("form", [*OWN_CLASS, *OTHER_DATA])
@pytest.mark.parametrize("kind", BODIES)
def test_a_file_with_other_tensors_gets_no_safe_fix_but_for_sizes(kind: str, form: str) -> None:
    fixes = safe_fixes(BODIES[kind], {**OWN_CLASS, **OTHER_DATA}[form])
    assert bool(fixes) == (form in OF_SIZES.get(kind, ()))


def test_a_product_of_sizes_is_the_same_of_all_tensors() -> None:
    torch = pytest.importorskip("torch")
    numpy = pytest.importorskip("numpy")
    plain = torch.ones(3, 4)
    quantized = torch.quantize_per_tensor(plain, 0.1, 0, torch.qint8)
    for tensor in (plain.to_sparse(), quantized, plain.to("meta")):
        assert int(numpy.prod(tensor.shape)) == math.prod(tensor.shape) == 12


@pytest.mark.parametrize("form", USUAL)
@pytest.mark.parametrize("kind", [*BODIES, *ANY_DATA])
def test_what_only_sounds_like_it_stands_in_no_ones_way(kind: str, form: str) -> None:
    assert safe_fixes({**BODIES, **ANY_DATA}[kind], USUAL[form])


@pytest.mark.parametrize("kind", ANY_DATA)
def test_what_asks_for_no_element_is_safe_for_tensors_of_any_data(kind: str) -> None:
    traced = ("a trace", "a trace by symbols", "a script")
    for form, below in OTHER_DATA.items():
        assert bool(safe_fixes(ANY_DATA[kind], below)) != (form in traced), below
    for below in OWN_CLASS.values():
        assert not safe_fixes(ANY_DATA[kind], below), below


@pytest.mark.parametrize("kind", ANY_DATA)
def test_a_function_that_is_scripted_where_it_is_defined_concerns_no_other(kind: str) -> None:
    scripted = "@torch.jit.script\ndef double(x):\n    return x * 2"
    assert safe_fixes(ANY_DATA[kind], scripted)
    assert not safe_fixes(BODIES["a selection"], scripted)
    own = f"@torch.jit.script\ndef own(x: torch.Tensor):\n    {ANY_DATA[kind]}\n    return x"
    assert sum(safe_fixes(ANY_DATA[kind], own).values()) == 1


@pytest.mark.parametrize(
    ("word", "pattern"), [each for patterns in OTHERWISE.values() for each in patterns.items() if each[1]]
)
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_text_that_a_pattern_matches_has_its_word(word: str, pattern: str, data: st.DataObject) -> None:
    assert word in data.draw(st.from_regex(pattern))


REPARTED = """\
import torch
from torch.autograd import Variable


class Odd(torch.nn.Module):
    def forward(self, x):
        return 3


def flat(net, t):
    return {given}


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(2, 2)

    def forward(self, x: torch.Tensor):
        y = {computed}
        return Variable(y)


def swap(net):
    net.add_module("lin", Odd())
"""


@pytest.mark.parametrize(
    ("given", "computed", "trusted"),
    [
        ("t.reshape(-1)", "flat(self, x)", True),
        ("t.reshape(-1)", "flat(self, x) + self.lin(x)", False),
        ("net.lin(t)", "flat(self, x)", False),
        ("3", "x * 2\n        z = self.lin(torch.ones(2))", True),
    ],
)
def test_a_module_that_is_replaced_matters_to_what_is_computed_with_it(
    given: str, computed: str, trusted: bool
) -> None:
    text = REPARTED.format(given=given, computed=computed)
    assert bool(Engine(Settings()).fix("net.py", text, False).fixed) == trusted

"""Names that a file binds, or attributes of libraries that it replaces, behind the back of its statements."""

from __future__ import annotations

import pytest

from breaklint.lint.engine import Engine
from breaklint.model import Settings

MODEL = """\
import builtins
import importlib
import sys
from unittest import mock
import torch
from torch.autograd import Variable


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return {call}


"""
POWER = {
    "in the library of the builtins": "builtins.pow = other",
    "by setattr": "setattr(builtins, 'pow', other)",
    "as an entry of it": "vars(builtins)['pow'] = other",
    "as an entry of its dictionary": "builtins.__dict__['pow'] = other",
    "in the builtins of the file": "__builtins__['pow'] = other",
    "for a while": "with mock.patch('builtins.pow', other):\n    Net()(torch.ones(2))",
    "for a while in an object": "with mock.patch.object(builtins, 'pow', other):\n    Net()(torch.ones(2))",
    "as an entry of the file": "globals()['pow'] = other",
    "as an entry under another name": "names = globals()\nnames['pow'] = other",
    "by an update": "globals().update(pow=other)",
    "by an update that is looked up": "getattr(globals(), 'update')(pow=other)",
    "in the dictionary that is looked up": "getattr(sys.modules[__name__], '__dict__')['pow'] = other",
    "by a default": "globals().setdefault('pow', other)",
    "by a function": "def bind(names):\n    names['pow'] = other\nbind(globals())",
    "by a function that is handed on": "def bind(names):\n    names()['pow'] = other\nbind(globals)",
    "in the names of the place": "locals()['pow'] = other",
    "in the names of the place, too": "vars()['pow'] = other",
    "in the names of a function": "Net.forward.__globals__['pow'] = other",
    "in the names of a frame": "sys._getframe().f_globals['pow'] = other",
    "in the file": "setattr(sys.modules[__name__], 'pow', other)",
    "in the file as a module": "sys.modules[__name__].pow = other",
    "in the file under a name": "this = sys.modules[__name__]\nthis.pow = other",
    "in the file under another name": "this = sys.modules[__name__]\nthat = this\nsetattr(that, 'pow', other)",
    "in the file under a name of a function": "def f():\n    this = sys.modules[__name__]\n    this.pow = other\nf()",
    "as an entry of the file under a name": "this = sys.modules[__name__]\nvars(this)['pow'] = other",
    "in the file that is imported": "importlib.import_module(__name__).pow = other",
    "by a library that is imported so": "__import__('builtins').pow = other",
    "as text": "exec('pow = other')",
    "as text with a value": "eval('(pow := other)')",
    "as text in the names of the file": "def bind():\n    exec('pow = other', globals())\nbind()",
}
VARIABLE = {
    "by its name": "torch.Tensor.detach = other",
    "for a while": "with mock.patch('torch.Tensor.detach', other):\n    Net()(torch.ones(2))",
    "as an entry": "torch.__dict__['Tensor'] = other",
}
READ = {
    "an entry": "print(globals()['Net'], globals().get('other'), 'pow' in globals())",
    "a copy": "names = dict(globals())\nfor name in sorted(globals()):\n    pass",
    "entries that are unpacked": "dict(**globals())",
    "the names of a function": "def show(a):\n    print(locals(), vars())\n    b = locals()\n    b['pow'] = 1",
    "what an object holds": "net = Net()\nnet.__dict__['pow'] = 1\nvars(net)['pow'] = 1",
    "the file under a name": "this = sys.modules[__name__]\nthat = this\nprint(that.Net, vars(that)['Net'])",
    "a module by its name": "print(sys.modules['torch'].float32, getattr(sys.modules[__name__], 'Net'))",
    "text with a value": "print(eval('1 + 1'))",
    "the names of modules": "for m in Net().modules():\n    print(m._modules['a'])",
    "a replaced attribute": "torch.backends.cudnn.benchmark = True\nsetattr(torch.backends.cudnn, 'enabled', True)",
}


def safe_fixes(text: str) -> dict[str, int]:
    """The safe fixes of a text, by their rule."""
    return dict(Engine(Settings()).fix("net.py", text, False).fixed)


@pytest.mark.parametrize("form", POWER)
def test_a_builtin_that_is_bound_in_a_namespace_is_not_trusted(form: str) -> None:
    assert not safe_fixes(f"{MODEL.format(call='pow(x, 2)')}other = lambda *given: 7\n{POWER[form]}\n")


@pytest.mark.parametrize("form", VARIABLE)
def test_a_method_of_torch_that_is_replaced_is_not_trusted(form: str) -> None:
    assert not safe_fixes(f"{MODEL.format(call='Variable(x)')}other = lambda *given: 7\n{VARIABLE[form]}\n")


@pytest.mark.parametrize("form", READ)
def test_a_namespace_that_is_only_read_stands_in_no_ones_way(form: str) -> None:
    for call in ("pow(x, 2)", "Variable(x)"):
        assert safe_fixes(f"{MODEL.format(call=call)}{READ[form]}\n")


def test_a_name_of_a_function_is_not_the_module_that_the_file_calls_so() -> None:
    looked_up = "this = sys.modules[__name__]\nthat = sys.modules['torch']\n"
    local = "def f(this, where):\n    this.pow = 1\n    for that in where:\n        that.detach = 2\n"
    assert safe_fixes(f"{MODEL.format(call='pow(x, 2)')}{looked_up}{local}")
    stored = "def f():\n    this.pow = 1\n"
    assert not safe_fixes(f"{MODEL.format(call='pow(x, 2)')}{looked_up}{stored}")
    declared = "def f(where):\n    global this\n    for this in where:\n        this.pow = 1\n"
    assert not safe_fixes(f"{MODEL.format(call='pow(x, 2)')}{looked_up}{declared}")

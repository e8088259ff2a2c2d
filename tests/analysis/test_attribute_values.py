"""What an attribute holds is no proof where the file may store another value in it in a way that is not followed."""

from __future__ import annotations

import ast

import pytest

pytest.importorskip("torch")

from hostile_snippets import MODEL, attacked

from breaklint.analysis.stores import Stores
from breaklint.project.module import Module

BODY = "        return x * int(np.prod([self.limit]))"
FIRST, LAST = "    def tick(self)", "        self.ticks = 0\n"
METHODS = {
    "by the setter of the class": """
        def __setattr__(self, n, v):
            super().__setattr__(n, -1 if n == 'limit' else v)
    """,
    "by what looks attributes up": """
        def __getattribute__(self, n):
            return -1 if n == 'limit' else super().__getattribute__(n)
    """,
    "by a property": """
        limit = property(lambda self: -1, lambda self, v: None)
    """,
}
IN_INIT = {
    "in the dictionary": "self.__dict__['limit'] = -1",
    "in the dictionary that is looked up": "getattr(self, '__dict__')['limit'] = -1",
    "by an update that is looked up": "getattr(self.__dict__, 'update')(limit=-1)",
    "by an update": "self.__dict__.update(limit=-1)",
    "in an alias of the dictionary": "d = self.__dict__; d['limit'] = -1",
    "by an update of its variables": "vars(self).update({'limit': -1})",
    "past the class": "object.__setattr__(self, 'limit', -1)",
    "under a name that is computed": "[setattr(self, n, -1) for n in dir(self) if n == 'limit']",
    "in all modules": "for m in self.modules(): m.limit = -1",
    "by apply": "self.apply(lambda m: setattr(m, 'limit', -1))",
    "by a hook": "self.register_forward_pre_hook(lambda m, a: setattr(m, 'limit', -1))",
    "by its setter": "(lambda s: s.__setattr__('limit', -1))(self)",
    "by a name that is put together": "del self.limit; setattr(self, 'lim' + 'it', -1)",
    "under another name of the object": """from contextlib import nullcontext as same
        with same(self) as me:
            me.limit = -1""",
}
BELOW = {
    "in the class": "Net.limit = property(lambda s: -1, lambda s, v: None)",
    "by setattr": "setattr(Net, 'limit', property(lambda s: -1, lambda s, v: None))",
    "by another constructor": """
made = Net.__init__
def init(self):
    made(self)
    self.limit = -1
Net.__init__ = init
""",
    "by a class below": """
class Net(Net):
    def __init__(self):
        super().__init__()
        self.limit = -1
""",
}


def model(methods: str = "", in_init: str = "", below: str = "", body: str = BODY) -> str:
    text = MODEL.format(body=body).replace(FIRST, methods.replace("\n    ", "\n") + "\n" + FIRST, 1)
    return f"{text.replace(LAST, f'{LAST}        {in_init}{chr(10)}', 1)}\n{below}\n"


def test_what_an_attribute_holds_is_a_proof_otherwise() -> None:
    assert attacked(model())[0].fixes
    assert attacked(
        model(in_init="print(dict(self.__dict__), 'ticks' in vars(self), '{ticks}'.format(**self.__dict__))")
    )[0].fixes
    assert attacked(model(in_init="for i in range(3): setattr(self, f'layer{i}', i)"))[0].fixes


@pytest.mark.parametrize("form", METHODS)
def test_an_attribute_that_a_method_of_the_class_decides_is_no_proof(form: str) -> None:
    assert not attacked(model(methods=METHODS[form]))[0].fixes


@pytest.mark.parametrize("form", IN_INIT)
def test_an_attribute_that_is_stored_in_another_way_is_no_proof(form: str) -> None:
    assert not attacked(model(in_init=IN_INIT[form]))[0].fixes


@pytest.mark.parametrize("form", BELOW)
def test_an_attribute_that_the_file_stores_elsewhere_is_no_proof(form: str) -> None:
    assert not attacked(model(below=BELOW[form]))[0].fixes


@pytest.mark.parametrize(
    "form",
    ["self._buffers['buffer'] = None", "self._buffers.pop('buffer'); self.buffer = 7", "delattr(self, 'buffer')"],
)
def test_a_buffer_that_is_taken_out_of_its_dictionary_is_no_proof(form: str) -> None:
    body = "        return Variable(self.buffer)"
    assert attacked(model(body=body))[0].fixes
    assert not attacked(model(in_init=form, body=body))[0].fixes


@pytest.mark.parametrize("read", ["net.limit", "(net := self).limit", "[self][0].limit", "getattr(self, 'limit')"])
def test_however_the_object_is_named_its_attribute_is_no_proof(read: str) -> None:
    body = f"        net = self\n        return x * int(np.prod([{read}]))"
    assert attacked(model(body=body))[0].fixes
    assert not attacked(model(in_init="self.__dict__['limit'] = -1", body=body))[0].fixes


def test_an_object_that_its_method_does_not_call_self_is_seen() -> None:
    text = model(in_init="self.__dict__['limit'] = -1").replace("(self, x: torch.Tensor", "(me, x: torch.Tensor")
    assert not attacked(text.replace("prod([self.limit", "prod([me.limit"))[0].fixes


def stores(text: str) -> Stores:
    return Stores(Module("m.py", "m", ast.parse(text), (text,)))


@pytest.mark.parametrize(
    ("statement", "names", "own", "beginnings"),
    [
        ("self.a = 1", set(), {"a"}, set()),
        ("setattr(self, 'a', 1)", set(), {"a"}, set()),
        ("other.a = 1", {"a"}, set(), set()),
        ("del self.a", {"a"}, set(), set()),
        ("setattr(self, f'a{i}', 1)", set(), set(), {"a"}),
        ("setattr(self, 'a%d' % i, 1)", set(), set(), {"a"}),
        ("setattr(self, 'a{}'.format(i), 1)", set(), set(), {"a"}),
        ("setattr(self, name, 1)", set(), set(), {""}),
        ("self.__dict__.update(values)", set(), set(), {""}),
        ("print(self.__dict__['a'], self.__dict__.get('b'))", set(), set(), set()),
        ("keep(self.__dict__)", set(), set(), {""}),
    ],
)
def test_stores_are_told_apart_by_how_well_they_are_followed(
    statement: str, names: set[str], own: set[str], beginnings: set[str]
) -> None:
    found = stores(f"class Net:\n    def f(self, other, i, name, values):\n        {statement}\n")
    assert (found.names, found.own["Net"], found.beginnings["Net"]) == (names, own, beginnings)


REGISTERS = """\
import torch
from torch.autograd import Variable


class Net(torch.nn.Module):
    def __init__(self, wide=True):
        super().__init__()
        REGISTERED
        self.tail = torch.nn.Sequential()
        self.tail.add_module("pe", torch.nn.Identity())

    def forward(self, x: torch.Tensor, y: torch.Tensor):
        return Variable(self.pe)
"""
REGISTERED_BUFFER = 'self.register_buffer("pe", torch.zeros(3))'


def test_a_module_of_another_object_takes_the_place_of_no_buffer() -> None:
    assert attacked(REGISTERS.replace("REGISTERED", REGISTERED_BUFFER))[0].fixes


@pytest.mark.parametrize(
    "registered",
    [f"if wide:\n            {REGISTERED_BUFFER}", f"if not wide:\n            return\n        {REGISTERED_BUFFER}"],
)
def test_a_module_may_take_the_place_of_a_buffer_that_is_not_always_there(registered: str) -> None:
    assert not attacked(REGISTERS.replace("REGISTERED", registered))[0].fixes


HOOKED = """\
import torch
from torch.autograd import Variable


def kept(x: torch.Tensor):
    return Variable(x)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.tail = torch.nn.ReLU()
        self.tail.register_forward_hook(lambda module, given, result: (result,))

    def forward(self, x: torch.Tensor, y: torch.Tensor):
        return kept(x), WRAPPED
"""


def test_hooks_concern_what_calls_modules_and_no_function_beside_it() -> None:
    assert len(attacked(HOOKED.replace("WRAPPED", "y"))[0].fixes) == 1
    assert len(attacked(HOOKED.replace("WRAPPED", "Variable(self.tail(y))"))[0].fixes) == 1


CHANGED_CALLS = {
    "nothing": ("", 1),
    "a forward that is stored": ("        self.tail.forward = lambda x: None\n", 0),
    "a forward that setattr stores": ("        setattr(self.tail, 'forward', lambda x: None)\n", 0),
}


@pytest.mark.parametrize(("statement", "fixes"), CHANGED_CALLS.values(), ids=[*CHANGED_CALLS])
def test_a_replaced_forward_makes_the_result_of_a_module_unknown(statement: str, fixes: int) -> None:
    text = HOOKED.replace("WRAPPED", "Variable(self.tail(y.float()))").replace("return kept(x)", "return x")
    text = "\n".join(line for line in text.splitlines() if "hook" not in line and "Variable(x)" not in line)
    text = text.replace("def kept(x: torch.Tensor):\n", "")
    assert len(attacked(text.replace("torch.nn.ReLU()\n", f"torch.nn.ReLU()\n{statement}"))[0].fixes) == fixes

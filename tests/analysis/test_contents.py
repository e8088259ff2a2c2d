"""What a list or dict holds is no proof where code of the file may change it."""

from __future__ import annotations

import ast

import pytest

from breaklint.analysis.escapes import Escapes
from breaklint.analysis.file_nodes import FileNodes
from breaklint.lint.engine import Engine
from breaklint.model import Settings

MODEL = """\
import numpy as np
import torch

SIZES = [3, 4]


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.sizes = [3, 4]

    def other(self, given):
        {method}

    def forward(self, x: torch.Tensor):
        return x * int(np.prod([{read}]))


def other(given):
    pass


"""
CHANGES = (
    "{0}[0] = -1",
    "{0}[0] -= 4",
    "del {0}[0]",
    "{0}.sort()",
    "{0}.insert(0, -1)",
    "given = {0}; given[0] = -1",
    "other({0})",
    "[{0}][0][0] = -1",
    "print([given.reverse() for given in ({0},)])",
    "(lambda: {0})().clear()",
    "given = {0} or [1]; given[0] = -1",
    "given = {0} if torch else [1]; given[0] = -1",
    "given = {0}.sort; given()",
    "getattr({0}, 'sort')()",
    "getattr({0}, 'so' + 'rt')()",
)
READS = (
    "print({0})",
    "{0}[0]",
    "len({0})",
    "for given in {0}: pass",
    "[*{0}]",
    "{0} + [1]",
    "3 in {0}",
    "{0}.index(3)",
    "if {0} and torch: pass",
    "given = 1 if {0} else 2",
    "getattr({0}, 'count')(3)",
)


def safe_fixes(read: str, method: str = "pass", below: str = "") -> dict[str, int]:
    """The safe fixes of the model, by their rule."""
    return dict(Engine(Settings()).fix("net.py", f"{MODEL.format(read=read, method=method)}{below}\n", False).fixed)


@pytest.mark.parametrize("form", CHANGES)
def test_items_that_code_of_the_file_may_change_are_no_proof(form: str) -> None:
    assert not safe_fixes("SIZES[0]", below=f"given = [1]\n{form.format('SIZES')}")
    assert not safe_fixes("SIZES[0]", method=form.format("SIZES"))
    assert not safe_fixes("self.sizes[0]", method=form.format("self.sizes"))
    assert not safe_fixes("self.sizes[0]", below=f"net, given = Net(), [1]\n{form.format('net.sizes')}")


@pytest.mark.parametrize("form", READS)
def test_items_that_are_only_read_are_a_proof(form: str) -> None:
    assert safe_fixes("SIZES[0]", method=form.format("SIZES"), below=form.format("SIZES"))
    assert safe_fixes(
        "self.sizes[0]", method=form.format("self.sizes"), below=f"net = Net()\n{form.format('net.sizes')}"
    )


IN_A_LIST = {
    "given = {0}[0] or []; given.sort()": False,
    "given = {0}[0]; given.sort()": False,
    "given = {0}[0]": False,  # other files may change what is bound to a name
    "{0}[0].copy()[0] = 1": False,
    "for given in {0}.values(): given.sort()": False,
    "other({0}.get)": False,
    "print({0}[0])": True,
    "if {0}[0] and torch: pass": True,
}


@pytest.mark.parametrize("form", IN_A_LIST)
def test_items_of_what_a_list_holds_are_a_proof_where_they_stay(form: str) -> None:
    for name in ("SIZES", "self.sizes"):
        text = MODEL.format(read=f"{name}[0][0]", method=form.format(name)).replace("[3, 4]", "[[3, 4], [5]]")
        assert bool(Engine(Settings()).fix("net.py", text, False).fixed) is IN_A_LIST[form]


IN_A_TUPLE = {"a list": "([3, 4], 5)", "a dict": "({0: 3}, 5)", "a list in a tuple": "(([3, 4],), 5)"}


@pytest.mark.parametrize("form", IN_A_TUPLE)
def test_items_of_what_a_tuple_holds_are_no_proof_where_they_change(form: str) -> None:
    read = "self.sizes[0][0][0]" if form == "a list in a tuple" else "self.sizes[0][0]"
    for change, safe in (("pass", True), (f"{read} = -1", False)):
        text = MODEL.format(read=read, method=change).replace("self.sizes = [3, 4]", f"self.sizes = {IN_A_TUPLE[form]}")
        assert bool(Engine(Settings()).fix("net.py", text, False).fixed) is safe


def test_a_tuple_itself_stays_as_it_is_wherever_it_is_handed() -> None:
    text = MODEL.format(read="self.sizes[0]", method="other(self.sizes); a, b = self.sizes")
    assert Engine(Settings()).fix("net.py", text.replace("self.sizes = [3, 4]", "self.sizes = (3, 4)"), False).fixed


def test_a_part_of_a_container_counts_as_it() -> None:
    def names(text: str) -> set[str]:
        return Escapes(FileNodes(ast.parse(text))).changed()

    assert names("a[0][1] = 2") == names("a[0].append(1)") == {"a"}
    assert names("b(*a); a[0].c[1] = 2") == {".c"}
    assert names("print(a[0].b.c, *d, **e)") == set()


RESOLVED = {
    "by a class beside it": """
class Root(torch.nn.Module):
    def size(self):
        return 3
class Net(Root):
    def size(self):
        return super().size()
    def forward(self, x: torch.Tensor):
        return x * int(np.prod([self.size()]))
{}
class Other(Root):
    def size(self):
        return -1
class Both(Net, Other):
    pass
""",
    "by an attribute": """
class Net(torch.nn.Module):
    def size(self):
        return 3
    def forward(self, x: torch.Tensor):
        return x * int(np.prod([self.size()]))
{}
    def shrink(self):
        self.size = lambda: -1
""",
    "by a default": """
def size(n=3):
    return n
class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return x * int(np.prod([size()]))
{}
size.__defaults__ = (-1,)
""",
    "by other code": """
def size():
    return 3
class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return x * int(np.prod([size()]))
{}
size.__code__ = (lambda: -1).__code__
""",
    "by another base": """
class Root(torch.nn.Module):
    def size(self):
        return 3
class Net(Root):
    def forward(self, x: torch.Tensor):
        return x * int(np.prod([self.size()]))
{}
Net.__bases__ = (torch.nn.Module,)
""",
}

RESOLVED |= {
    "as an attribute of a class": """
class Sizes:
    first = 3
class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return x * int(np.prod([Sizes.first]))
{}
Sizes.first = -1
""",
    "as an attribute of a class under a computed name": """
class Sizes:
    first = 3
class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return x * int(np.prod([Sizes.first]))
{}
for name, value in dict(first=-1).items():
    setattr(Sizes, name, value)
""",
    "by a method of the class": """
class Net(torch.nn.Module):
    limit = 3
    def forward(self, x: torch.Tensor):
        return x * int(np.prod([self.limit]))
{}
    @classmethod
    def shrink(cls):
        cls.limit = -1
""",
    "by what another object looks up": """
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.sizes = Sizes()
    def forward(self, x: torch.Tensor):
        return x * int(np.prod([self.sizes.first]))
class Sizes:
    def __init__(self):
        self.first = 3
{}
    def __getattribute__(self, name):
        return -1
""",
    "as another module": """
class Inner(torch.nn.Module):
    def size(self):
        return 3
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
    def forward(self, x: torch.Tensor):
        return x * int(np.prod([self.inner.size()]))
{}
Net().add_module("inner", torch.nn.ReLU())
""",
}


@pytest.mark.parametrize("form", RESOLVED)
def test_a_function_that_may_become_another_is_no_proof(form: str) -> None:
    whole = "import numpy as np\nimport torch\n" + RESOLVED[form]
    for text, is_fixed in ((whole.partition("{}")[0], True), (whole.format(""), False)):
        assert bool(dict(Engine(Settings()).fix("net.py", text, False).fixed)) is is_fixed


WRITTEN = ("torch.autograd.Variable", "torch.Tensor.detach", "type(torch.ones(1)).detach", "other.detach")


@pytest.mark.parametrize("name", WRITTEN)
def test_a_method_that_is_written_is_replaced_nowhere(name: str) -> None:
    text = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x: torch.Tensor):\n"
    text += "        return torch.autograd.Variable(x)\n\n\nother = torch.ones(2)\n"
    assert dict(Engine(Settings()).fix("net.py", text, False).fixed)
    assert not dict(Engine(Settings()).fix("net.py", f"{text}{name} = print\n", False).fixed)

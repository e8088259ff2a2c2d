"""A fix is safe whatever an attribute is that it does not rest on, and not where it rests on it."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from hostile_snippets import attacked

HEAD = "import torch\nfrom torch.autograd import Variable\n\n\n"
OVERRIDDEN = """\
class Base(torch.nn.Module):
    bins = 3

    def slope(self, x):
        return x * 2

    def rows(self, x):
        return [x.detach()]

    def forward(self, x: torch.Tensor, y: torch.Tensor):
        BODY


class Net(Base):
    bins = 2

    def slope(self, x):
        return x * 3

    def rows(self, x):
        return [x.detach(), x.detach()]
"""
INDEPENDENT = {
    "called for something else": "return self.slope(x) + Variable(x)",
    "a function of torch gives a tensor of it": "return Variable(torch.abs(self.slope(x)).detach())",
    "a count of what a function of torch compares": (
        "counts = torch.zeros(3)\n        counts[0] = torch.eq(torch.abs(self.slope(x)), 1).sum().item()\n"
        "        return counts"
    ),
}
DEPENDENT = {
    "what may be any object, by which a tensor is multiplied": "return Variable(torch.zeros(3) * self.bins)",
    "what is wrapped": "return Variable(self.slope(x))",
    "an entry of what is returned": "return Variable(self.rows(x)[0])",
    "a list that it may change": "rows = [x.detach()]\n        self.slope(rows)\n        return Variable(rows[0])",
}


def safe_fixes(body: str) -> list[str]:
    rewrite, found = attacked(HEAD + OVERRIDDEN.replace("BODY", body))
    assert not found
    return [*rewrite.fixes]


@pytest.mark.parametrize("body", INDEPENDENT.values(), ids=[*INDEPENDENT])
def test_a_method_that_a_subclass_overrides_stands_in_no_ones_way(body: str) -> None:
    assert safe_fixes(body)


@pytest.mark.parametrize("body", DEPENDENT.values(), ids=[*DEPENDENT])
def test_a_fix_that_rests_on_a_method_that_a_subclass_overrides_is_not_safe(body: str) -> None:
    assert not safe_fixes(body)


BUFFER = """\
class Net(torch.nn.Module):
    def __init__(self, wide=True):
        super().__init__()
        REGISTERED
        self.tail = torch.nn.Sequential()
        self.tail.add_module("pe", torch.nn.Identity())

    def forward(self, x: torch.Tensor, y: torch.Tensor):
        return Variable(self.pe)
"""
ALWAYS = 'self.register_buffer("pe", torch.zeros(3))'


def test_a_module_of_another_object_takes_the_place_of_no_buffer() -> None:
    assert attacked(HEAD + BUFFER.replace("REGISTERED", ALWAYS))[0].fixes


@pytest.mark.parametrize(
    "registered", [f"if wide:\n            {ALWAYS}", f"if not wide:\n            return\n        {ALWAYS}"]
)
def test_a_module_may_take_the_place_of_a_buffer_that_is_not_always_there(registered: str) -> None:
    assert not attacked(HEAD + BUFFER.replace("REGISTERED", registered))[0].fixes

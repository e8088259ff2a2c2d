"""A number that a model only hands out is a 0-dim tensor where it is compiled, and the same number where it is not."""

from __future__ import annotations

import pytest
from writing import fixed

from breaklint.fixes.scalars.handed_out_number import UNSAFE
from breaklint.lint.engine import Engine
from breaklint.model import Settings

torch = pytest.importorskip("torch")

COMPILING = "if torch.compiler.is_compiling() else"
WRITTEN = {
    "in a dict": (
        "h = x.mean()\nreturn x, {'h': h.item()}",
        f"h = x.mean()\nreturn x, {{'h': h.detach() {COMPILING} h.item()}}",
    ),
    "as an entry": (
        "d = {}\nd['h'] = float(x.mean()) * 2\nreturn x, d",
        f"d = {{}}\nd['h'] = x.mean().detach() * 2 {COMPILING} float(x.mean()) * 2\nreturn x, d",
    ),
    "of two numbers": (
        "return x, [x.sum().item() / x.max().item()]",
        f"return x, [x.sum().detach() / x.max().detach() {COMPILING} x.sum().item() / x.max().item()]",
    ),
    "under a name": (
        "n = x.sum().item()\nreturn x, n",
        f"n = x.sum().detach() {COMPILING} x.sum().item()\nreturn x, n",
    ),
    "as an attribute": (
        "self.last = x.sum().item()\nreturn x",
        f"self.last = x.sum().detach() {COMPILING} x.sum().item()\nreturn x",
    ),
    "in a list that grows": (
        "s = []\nfor _ in range(2):\n    s.append(x.sum().item())\nreturn x, s",
        f"s = []\nfor _ in range(2):\n    s.append(x.sum().detach() {COMPILING} x.sum().item())\nreturn x, s",
    ),
    "in a list of the module": (
        "self.seen.append(x.sum().item())\nreturn x",
        f"self.seen.append(x.sum().detach() {COMPILING} x.sum().item())\nreturn x",
    ),
    "in a list that has items": (
        "out = [0]\nout[0] = x.sum().item()\nreturn x, out",
        f"out = [0]\nout[0] = x.sum().detach() {COMPILING} x.sum().item()\nreturn x, out",
    ),
    "alone": ("return x.sum().item()", f"return x.sum().detach() {COMPILING} x.sum().item()"),
    "in a row of a list": (
        "s = []\ns.append((1, x.sum().item()))\nreturn x, s",
        f"s = []\ns.append((1, x.sum().detach() {COMPILING} x.sum().item()))\nreturn x, s",
    ),
    "by dict": (
        "return x, dict(n=x.sum().item())",
        f"return x, dict(n=x.sum().detach() {COMPILING} x.sum().item())",
    ),
}
LEFT = {
    "what decides a branch": "n = x.sum().item()\nif n > 3:\n    print(n)\n    x = x * 2\nreturn x, n",
    "what is an index": "n = x.argmax().item()\nreturn [x, x * 2][n], n",
    "what bounds a slice": "n = x.argmax().item()\nreturn x[:n], n",
    "an attribute that is read": "self.last = x.sum().item()\nreturn x * self.last",
    "an item that is read": "d = {'n': x.sum().item()}\nreturn x[: d['n']], d",
    "a list that is used": "s = []\ns.append(x.sum().item())\nreturn x.new_zeros(s), s",
    "a list that an inner function uses": "s = []\ns.append(x.sum().item())\nf = lambda: sum(s)\nreturn f(), s",
    "what is taken out of a list": "return x * [x.sum().item(), 2][0]",
    "what a function gets in a list": "return x, sorted([x.sum().item(), 2])",
    "a truth value": "return x, x.sum().item() > 3",
    "text": "return x, f'{x.sum().item()}'",
}


@pytest.mark.parametrize(("before", "after"), WRITTEN.values(), ids=WRITTEN)
def test_a_number_that_is_handed_out_is_a_tensor_where_it_is_compiled(before: str, after: str) -> None:
    assert fixed(before) == after


@pytest.mark.parametrize("body", LEFT.values(), ids=LEFT)
def test_a_number_that_compiled_code_needs_is_left(body: str) -> None:
    assert COMPILING not in fixed(body)


NET = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        {}
"""


def test_it_is_never_safe_and_says_what_compiled_code_hands_out() -> None:
    result = Engine(Settings()).check("net.py", NET.format("return x, [x.sum().item()]")).findings
    assert [(item.fix.applicability.value, item.fix.why) for item in result if item.fix] == [("unsafe", UNSAFE)]


def test_a_function_that_compiled_code_calls_hands_nothing_out() -> None:
    helper = f"{NET.format('return half(x) * 2')}\n\ndef half(x: torch.Tensor):\n    return x * 1, x.sum().item()\n"
    assert COMPILING not in (Engine(Settings()).fix("net.py", helper, True).text or "")


@pytest.mark.parametrize("code", ["1 - (x > 0).any().item()", "-(x > 0).all().item()"])
def test_what_is_computed_with_truths_is_left(code: str) -> None:
    assert COMPILING not in fixed(f"return x, [{code}]")
    assert COMPILING in fixed(f"return x, [{code.lstrip('1 -')}]")

"""Functions whose methods are class methods."""

from __future__ import annotations

import pytest

from breaklint.lint.engine import check_source, fix_source
from breaklint.model import Settings

MODEL = """\
import torch


class Scaled(torch.autograd.Function):
    @{forward}
    def forward({first}ctx, x, scale=2):
        {body}

    @{backward}
    def backward({second}ctx, grad):
        return grad * 2, None


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 8)

    def forward(self, x: torch.Tensor):
        return Scaled.apply({given}, 3) + 1
"""
BOTH = {"forward": "classmethod", "backward": "classmethod", "first": "cls, ", "second": "cls, "}
NEITHER = {"forward": "staticmethod", "backward": "staticmethod", "first": "", "second": ""}
DECLARED = {
    "both": (BOTH, ["BRK638"]),
    "forward alone": ({**NEITHER, "forward": "classmethod", "first": "cls, "}, ["BRK638"]),
    "backward alone": ({**NEITHER, "backward": "classmethod", "second": "cls, "}, ["BRK638"]),
    "neither": (NEITHER, []),
}


def text(declared: dict[str, str], given: str = "self.linear(x)", body: str = "return x * scale") -> str:
    return MODEL.format(**declared, given=given, body=body)


@pytest.mark.parametrize(("declared", "codes"), DECLARED.values(), ids=DECLARED)
def test_a_class_method_breaks(declared: dict[str, str], codes: list[str]) -> None:
    assert [found.code for found in check_source(text(declared), "model.py", Settings()).findings] == codes


def test_an_input_needs_no_gradient() -> None:
    assert check_source(text(BOTH, given="x"), "model.py", Settings()).findings == ()


@pytest.mark.parametrize("declared", [BOTH, DECLARED["forward alone"][0], DECLARED["backward alone"][0]])
def test_the_fix_makes_both_static(declared: dict[str, str]) -> None:
    assert fix_source(text(declared), "model.py", Settings(), unsafe=False).text == text(NEITHER)


@pytest.mark.parametrize("body", ["return x * cls.scale", "return super().forward(ctx, x)"])
def test_a_method_that_uses_its_class_stays(body: str) -> None:
    found = check_source(text(BOTH, body=body), "model.py", Settings()).findings
    assert [each.no_fix for each in found] == ["the method uses its class"]

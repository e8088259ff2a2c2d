"""Functions whose methods are class methods."""

from __future__ import annotations

import pytest

from breaklint.lint.engine import check_source
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
    assert [finding.code for finding in check_source(text(declared), "model.py", Settings()).findings] == codes


def test_an_input_needs_no_gradient() -> None:
    assert check_source(text(BOTH, given="x"), "model.py", Settings()).findings == ()


APPLIED = """\
import torch


class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad):
        return grad


class Holder:
    def __init__(self):
        self.apply = self.round = Round.apply


class Net(torch.nn.Module):
    shared = Round.apply

    def __init__(self):
        super().__init__()
        self.round, self.cls, self.all, self.holder = Round.apply, Round, [Round.apply], Holder()

    def forward(self, x):
        local = Round.apply
        return {call}
"""
KEPT = {
    "an attribute of the module": ("self.round(x)", True),
    "an attribute of its class": ("self.shared(x)", True),
    "the class in an attribute": ("self.cls.apply(x)", False),
    "a list": ("self.all[0](x)", False),
    "a local variable": ("local(x)", False),
    "a plain object": ("self.holder.round(x)", False),
}


@pytest.mark.parametrize(("call", "breaks"), KEPT.values(), ids=KEPT)
def test_apply_is_lost_in_attributes_of_modules_before_2_13(call: str, breaks: bool) -> None:
    result = [
        [
            finding.code
            for finding in check_source(APPLIED.format(call=call), "model.py", Settings(target_torch=torch)).findings
        ]
        for torch in ("2.11", "2.13")
    ]
    assert result == [["BRK649"] if breaks else [], []]

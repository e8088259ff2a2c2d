"""TorchScript in a class: what is taken out of it, and what stays."""

from __future__ import annotations

import pytest

from breaklint.lint.engine import check_source, fix_source
from breaklint.model import Settings

MODEL = """\
import torch


class Net({base}):
    def __init__(self, inner):
        super().__init__()
        {made}

{decorator}    def gate(self, x):
        return torch.sigmoid(x)

    def forward(self, x: torch.Tensor):
        return self.inner(x) * self.gate(x)
"""
METHOD = "    @torch.jit.script_method\n"
MADE = "self.inner = torch.jit.script(torch.nn.ReLU())"
KEPT = {
    "stored twice": f"{MADE}\n        self.inner = torch.jit.script(torch.nn.Tanh())",
    "traced": "self.inner = torch.jit.trace(torch.nn.ReLU(), torch.ones(1))",
}


def text(base: str, made: str, decorator: str = "") -> str:
    return MODEL.format(base=base, made=made, decorator=decorator)


def test_a_class_of_script_modules_becomes_one_of_plain_ones() -> None:
    before = text("torch.jit.ScriptModule", "self.inner = torch.nn.ReLU()", METHOD)
    after = text("torch.nn.Module", "self.inner = torch.nn.ReLU()")
    assert fix_source(before, "model.py", Settings(), unsafe=True).text == after


def test_a_comment_at_the_base_stays() -> None:
    before = text("\n    torch.jit.ScriptModule,  # fast\n", "self.inner = torch.nn.ReLU()")
    after = text("\n    torch.nn.Module,  # fast\n", "self.inner = torch.nn.ReLU()")
    assert fix_source(before, "model.py", Settings(), unsafe=True).text == after


def test_a_scripted_attribute_becomes_the_module_itself() -> None:
    after = text("torch.nn.Module", "self.inner = torch.nn.ReLU()")
    assert fix_source(text("torch.nn.Module", MADE), "model.py", Settings(), unsafe=True).text == after


@pytest.mark.parametrize("made", KEPT.values(), ids=KEPT)
def test_others_stay_and_say_why(made: str) -> None:
    result = check_source(text("torch.nn.Module", made), "model.py", Settings()).findings
    assert {item.no_fix for item in result} == {"breaklint cannot infer the other uses of the scripted module"}

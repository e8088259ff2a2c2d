"""Statements of constructors wait until an attribute is asked for, and then store what Python would have stored."""

from __future__ import annotations

import pytest

from breaklint.lint.engine import check_source
from breaklint.model import Settings

PARTS = """\
import torch


def mask():
    return torch.ones(3).sum() > 2


def flag():
    return True


class Base(torch.nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.gate = {above}
        self.prepare()

    def prepare(self):
        self.depth = {prepared}


class Model(Base):
    def __init__(self, config):
        super().__init__(config)
{lines}

    def forward(self, x: torch.Tensor):
        if self.config.deep:
            x = x + 1
        if {asked}:
            x = x * 2
        return x
"""
CASES = {
    "the class stores over what its base stores": ("mask()", "1", "self.gate = flag()", "self.gate", False),
    "what the base stores stays": ("mask()", "1", "self.other = flag()", "self.gate", True),
    "a branch that stores over it": ("mask()", "1", "if config.flat:\n    self.gate = mask()", "self.gate", True),
    "a loop that fills a list": ("flag()", "1", "self.gates = []\nfor _ in range(3):\n    self.gates.append(mask())",
                                 "self.gates[0]", True),
    "a loop that fills a list of the constructor": (
        "flag()", "1", "gates = []\nfor _ in range(3):\n    gates.append(mask())\nself.gates = gates", "self.gates[0]",
        True),
    "a name that the branch binds for later": ("flag()", "1", "if config.flat:\n    found = mask()\nself.gate = found",
                                               "self.gate", True),
    "what a method of the base stores": ("flag()", "mask()", "self.other = flag()", "self.depth", True),
    "an attribute read by the next statement": ("mask()", "1", "self.other = self.gate", "self.other", True),
    "an attribute read before it changes": ("mask()", "1", "self.other = self.gate\nself.gate = flag()", "self.other",
                                            True),
    "an object whose constructor is not needed": ("flag()", "1", "self.part = Base(config)", "self.part.config", False),
    "an attribute of an object": ("flag()", "mask()", "self.part = Base(config)", "self.part.depth", True),
    "an attribute stored by name": ("flag()", "1", "setattr(self, f'gate{config.size}', mask())", "self.gate2", True),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_attributes_hold_what_the_constructor_stored(case: tuple[str, str, str, str, bool]) -> None:
    above, prepared, lines, asked, breaks = case
    indented = "".join(f"        {line}\n" for line in lines.splitlines())
    text = PARTS.format(above=above, prepared=prepared, lines=indented.rstrip(), asked=asked)
    found = check_source(text, "models.py", Settings()).findings
    row = next(number for number, line in enumerate(text.splitlines(), 1) if line.strip() == f"if {asked}:")
    assert [(finding.code, finding.span.start.row) for finding in found] == ([("BRK301", row)] if breaks else [])


PROMISING = """\
import torch


class Part(torch.nn.Module):
    def __init__(self, config):
        super().__init__()
        self.kind = self.pick(config)

    def pick(self, config) -> str:
        return self.choose(config)

    def choose(self, config) -> str:
        {stored}
        return "fast"


class Model(torch.nn.Module):
    def __init__(self, config):
        super().__init__()
        self.part = Part(config)

    def forward(self, x: torch.Tensor):
        if self.part.kind == "slow":
            x = x + 1
        if self.part.gate:
            x = x * 2
        return x
"""


@pytest.mark.parametrize(("stored", "broken"), [("self.gate = torch.ones(3).sum() > 2", 1), ("self.gate = True", 0)])
def test_a_helper_that_promises_a_text_still_stores(stored: str, broken: int) -> None:
    result = check_source(PROMISING.format(stored=stored), "net.py", Settings())
    assert sum(found.code == "BRK301" for found in result.findings) == broken


PLANS = """\
import torch


class Plan:
    def build(self) -> "Plan":
        return Plan()


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.plan = self.made()
        self.next = self.plan.build()
        self.last = self.next.build()
        self.layer = torch.nn.LSTM(8, 8)

    def made(self) -> "Plan":
        return Plan().build()

    def forward(self, x: torch.Tensor):
        for parameter in self.parameters():
            x = x + parameter.sum()
        return x
"""


def test_a_walk_over_modules_asks_what_waiting_statements_make_of_each_other() -> None:
    found = check_source(PLANS, "net.py", Settings()).findings
    assert [(finding.code, finding.span.start.row) for finding in found] == [("BRK602", 21)]

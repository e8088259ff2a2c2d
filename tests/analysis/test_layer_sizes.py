"""A size that a layer was made with is never negative."""

from __future__ import annotations

import pytest

from breaklint.lint.engine import check_source
from breaklint.model import Settings

MODEL = """\
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, size, other):
        super().__init__()
        {made}


class Net(Base):
    def forward(self, x: torch.Tensor):
        return self.layer(x.new().resize_(x.size(0), self.size).fill_(0))
"""
LAYER = "self.layer = nn.Linear(size, 3)"
MADE = {
    "of a layer": (f"self.size = size\n        {LAYER}", "safe"),
    "of no layer": ("self.size = size\n        self.layer = nn.Linear(other, 3)", "unsafe"),
    "that changes first": (f"self.size = size\n        size = abs(size)\n        {LAYER}", "unsafe"),
    "that changes later": (f"self.size = size\n        {LAYER}\n        self.size -= 1", "unsafe"),
    "of a layer that may be missing": (f"self.size = size\n        if other:\n            {LAYER}", "unsafe"),
}


@pytest.mark.parametrize(("made", "expected"), MADE.values(), ids=MADE)
def test_a_size(made: str, expected: str) -> None:
    findings = check_source(MODEL.format(made=made), "model.py", Settings()).findings
    fixes = [each.fix for each in findings if each.code == "BRK610"]
    assert [fix and fix.applicability.value for fix in fixes] == [expected]

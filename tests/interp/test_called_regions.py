"""A forward that another region calls: traced with the arguments of the call, or on its own."""

from __future__ import annotations

import pytest
from harness import findings, marked

from breaklint.lint.engine import check_source
from breaklint.model import Settings

CASES = {
    "a call passes sizes in a list": """\
import torch
from torch import nn

class Grid(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width

    def forward(self, x, shapes):
        if x.sum() > 0:  # BRK301
            x = x + 1
        return [torch.linspace(0, 1, rows) + x for rows, columns in shapes]  # BRK502

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.grid = Grid(8)

    def forward(self, x):
        return self.grid(x, [(x.shape[0], x.shape[1])]) if self.training else x
""",
    "less is known of an argument than of the parameter": """\
import torch
from torch import nn
from library import load

class Loss(nn.Module):
    def forward(self, scores, boxes: torch.Tensor):
        return scores[boxes > 0]  # BRK401

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.loss = Loss()

    def forward(self, x):
        return self.loss(x, load())
""",
    "a flag of the object decides": """\
from torch import nn

class Block(nn.Module):
    def __init__(self, checks=False):
        super().__init__()
        self.checks = checks

    def forward(self, x):
        if self.checks and x.sum() > 0:  # BRK301
            x = x + 1
        return x

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block(checks=False)

    def forward(self, x):
        return self.block(x)
""",
}


@pytest.mark.parametrize("code", CASES.values(), ids=CASES)
def test_called_forward(code: str) -> None:
    assert [(row, rule) for row, rule, *_ in findings(code)] == [(row, rule) for row, rule, *_ in marked(code)]


def test_conditions_begin_at_the_called_forward() -> None:
    code = CASES["a call passes sizes in a list"]
    assert [found.when for found in check_source(code, "model.py", Settings()).findings] == ["", ""]

"""Optimizers, schedulers and scalers that a step gets from elsewhere are known by what the code calls on them."""

from __future__ import annotations

import pytest

from breaklint.lint.engine import Engine
from breaklint.model import Settings

TRAINER = """\
import torch


class Trainer:
    def __init__(self, model, first, second):
        self.model, self.first, self.optimizer, self.scheduler = model, first, second, second
        self.step = torch.compile(self.train_step)

    def other(self):
        {other}

    def train_step(self, x):
        {call}
        return self.model(x)
"""


def codes(other: str, call: str) -> list[str]:
    text = TRAINER.format(other=other, call=call)
    return [found.code for found in Engine(Settings()).check("trainer.py", text).findings]


@pytest.mark.parametrize(
    ("other", "call"),
    [
        pytest.param("self.first.zero_grad()", "self.first.step()", id="an object that is stepped and zeroed"),
        pytest.param("self.first.step(lambda: 1)", "self.first.zero_grad()", id="a step with a closure elsewhere"),
        pytest.param("return self.first.param_groups", "self.first.step()", id="an object with parameter groups"),
        pytest.param("self.first.update()", "x = self.first.scale(x)", id="an object that scales and is updated"),
        pytest.param("pass", "self.optimizer.step()", id="what is called an optimizer"),
        pytest.param("pass", "self.scheduler.step()", id="what is called a scheduler"),
    ],
)
def test_a_call_that_breaks_is_found(other: str, call: str) -> None:
    assert codes(other, call) == ["BRK642"]


@pytest.mark.parametrize(
    ("other", "call"),
    [
        pytest.param("pass", "self.first.step()", id="an object that is only stepped"),
        pytest.param("pass", "self.model.zero_grad()", id="a model whose gradients are dropped"),
        pytest.param("pass", "x = self.scheduler.step(x, x, 3)", id="the step of a sampler"),
        pytest.param("self.optimizer.step()", "self.first.zero_grad()", id="methods of different objects"),
    ],
)
def test_what_may_be_anything_is_left_alone(other: str, call: str) -> None:
    assert codes(other, call) == []

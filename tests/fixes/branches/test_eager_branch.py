"""A branch on a tensor that only prints, logs or warns, or that sets up the module, is made only when not compiling."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from typing import Any

import pytest

from breaklint.lint.engine import Engine
from breaklint.model import Settings

torch = pytest.importorskip("torch")

NET = """\
import logging
import warnings
import torch

logger = logging.getLogger(__name__)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("ready", torch.tensor(0))
        self.register_buffer("shift", torch.zeros(()))
        self.verbose = True

    def prepare(self, x):
        self.shift.copy_(x.mean())

    def forward(self, x: torch.Tensor):
        {}
        return x - self.shift
"""
TEST = "if not torch.compiler.is_compiling() and"
TELLING = {
    "prints": "if x.isnan().any():\n            print('NaN')",
    "on one line": "if x.isnan().any(): print('NaN')",
    "logs": "if x.max() > 3:\n            logger.warning('large')",
    "warns and prints": "if x.max() > 3 and self.verbose:\n            warnings.warn('a')\n            print(x.shape)",
    "asks a number": "if x.max().item() > 3:\n            print('large')",
    "asks twice": "if x.isnan().any() or x.isinf().any():\n            print('odd')",
    "under a setting": "if x.max() > 3:\n            if self.verbose:\n                print('large')",
}
SETTING_UP = {
    "a flag": "if not self.ready:\n            self.prepare(x)\n            self.ready += 1",
    "a number": "if self.training and self.ready.item() < 1:\n            self.prepare(x)\n            self.ready += 1",
    "with a name of its own": "if self.ready == 0:\n            m = x.mean()\n            self.shift.copy_(m)\n"
    "            self.ready += 1",
}
LEFT = {
    "a branch that changes the input": "if x.max() > 3:\n            x.clamp_(3)",
    "one of two branches": "if not self.ready:\n            self.prepare(x)\n        else:\n            x = x + 1",
    "a name that is read behind it": "m = 0\n        if not self.ready:\n            m = x.mean()\n        x = x + m",
    "a return": "if self.ready == 0:\n            self.prepare(x)\n            return x",
    "an input that decides": "if self.ready < x.max():\n            self.prepare(x)",
    "a condition that binds a name": "if (m := x.max()) > 3:\n            print(m)",
    "what it keeps the best of": "if x.max() > self.shift:\n            self.shift = x.max()",
    "two tensors of the module": "if self.ready < self.shift:\n            self.ready += 1",
    "a flag that stays": "if not self.ready:\n            self.prepare(x)",
    "a change of the input": "if not self.ready:\n            x.clamp_(3)\n            self.ready += 1",
    "a change of a list": "w = [1]\n        if not self.ready:\n            w[0] = 0\n            self.ready += 1",
    "chance": "if torch.rand(()) < self.ready:\n            self.ready += 1",
    "an error": "if not self.ready:\n            raise ValueError",
}


def written(body: str, unsafe: bool) -> str:
    """What the fixes make of a model."""
    return Engine(Settings()).fix("net.py", NET.format(body), unsafe).text or ""


def ran(text: str, **options: Any) -> tuple[list[Any], str]:
    """What two calls of a model give and leave, and what it prints."""
    namespace: dict[str, Any] = {"__name__": "net"}
    exec(compile(text, "net.py", "exec"), namespace)
    net = namespace["Net"]()
    called, out = torch.compile(net, **options) if options else net, io.StringIO()
    with redirect_stdout(out):
        results = [called(torch.tensor([1.0, 5.0]) * scale).tolist() for scale in (1, float("nan"), 3)]
    return [results, net.ready.item(), net.shift.item()], out.getvalue()


@pytest.mark.parametrize("body", TELLING.values(), ids=TELLING)
def test_a_branch_that_only_tells_is_made_when_not_compiling(body: str) -> None:
    alarms = "warn" in body
    assert bool(written(body, False)) is not alarms
    text = written(body, alarms)
    assert text == NET.format(body.replace("if x", f"{TEST} x", 1)) or f"{TEST} (x.isnan()" in text
    assert f"{ran(text)}" == f"{ran(NET.format(body))}"
    assert ran(text, backend="eager", fullgraph=True)[1] == ""


@pytest.mark.parametrize("body", SETTING_UP.values(), ids=SETTING_UP)
def test_a_module_is_set_up_when_not_compiling_which_may_be_wrong(body: str) -> None:
    assert written(body, False) == ""
    text = written(body, True)
    assert text == NET.format(body.replace("if", TEST, 1))
    assert f"{ran(text)}" == f"{ran(NET.format(body))}"
    assert ran(text, backend="eager", fullgraph=True)[0][2] == 0


@pytest.mark.parametrize("body", LEFT.values(), ids=LEFT)
def test_what_does_more_is_left(body: str) -> None:
    assert f"{TEST}" not in written(body, False)
    assert "self.ready" not in body or f"{TEST} not self.ready:\n            self" not in written(body, True)

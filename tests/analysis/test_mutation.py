"""Whatever operator changes a tensor in place: nothing is taken for granted of that tensor behind it."""

from __future__ import annotations

import contextlib
import warnings
from typing import Any

import pytest

pytest.importorskip("torch")

import torch
from differential.judging import rewritten

ARGUMENTS = [
    "", "x", "x[:1]", "x, x", "0", "2", "1, 2", "other=2", "max=2", "1.0, x", "0, index, x", "0, index, 5", "mask, x",
    "mask, x[0]", "torch.int32", "lambda v: 0", "t, lambda a, b: 0",
]  # fmt: skip
METHODS = [name for name in dir(torch.Tensor) if name.endswith("_") and not name.startswith("_")]
FUNCTIONS = [name for name in dir(torch) if name.endswith("_") and not name.startswith("_")]
WRITING = "add sub mul div floor_divide pow relu abs neg sign clamp_min cumsum sort bitwise_and remainder".split()
CALLS = [
    *(f"t.{name}({given})" for name in METHODS for given in ARGUMENTS),
    *(f"torch.{name}(t{', ' * bool(given)}{given})" for name in FUNCTIONS for given in ARGUMENTS),
    *(f"torch.{name}(t{given}, out=t)" for name in WRITING for given in ("", ", 2", ", x", ", 0")),
]
MADE = "torch.zeros(3)"
USED = "t.requires_grad = False\n        return t"
HEAD = "import torch\n\n\nclass Net(torch.nn.Module):\n"
METHOD = """\
    def use{number}(self, x: torch.Tensor, index: torch.Tensor, mask: torch.Tensor):
        t = {made}
        {call}
        {used}
"""
FORWARD = "    def forward(self, x: torch.Tensor, index: torch.Tensor, mask: torch.Tensor):\n"


def is_changed(call: str) -> bool:
    """Whether a call that succeeds makes a tensor need a gradient."""
    ones = torch.ones(3, requires_grad=True)
    given: dict[str, Any] = {"x": ones, "index": torch.tensor([0, 1, 2]), "mask": torch.tensor([True, False, True])}
    t = eval(MADE)
    with (
        contextlib.suppress(Exception),
        warnings.catch_warnings(action="ignore"),
    ):  # what the operator is not defined for
        warnings.simplefilter("ignore")
        eval(call, {"torch": torch, "t": t, **given})
    return bool(t.requires_grad)


def test_no_operator_changes_a_tensor_unnoticed() -> None:
    changing = [call for call in CALLS if is_changed(call)]
    assert len(changing) > 40
    for first in range(0, len(changing), 40):
        calls = changing[first : first + 40]
        uses = [METHOD.format(number=k, made=MADE, call=call, used=USED) for k, call in enumerate(calls)]
        forward = "".join(f"        self.use{k}(x, index, mask)\n" for k in range(len(calls)))
        text = rewritten(f"{HEAD}{''.join(uses)}{FORWARD}{forward}", unsafe=False).text
        parts = text.partition("    def forward")[0].split("    def use")[1:]
        remaining = ["requires_grad" in part for part in parts]
        assert [call for call, item in zip(calls, remaining, strict=True) if not item] == []


def test_what_nothing_changes_is_trusted() -> None:
    use = METHOD.format(number=0, made=MADE, call="y = t + 1", used=USED)
    text = rewritten(f"{HEAD}{use}{FORWARD}        return self.use0(x, index, mask)\n", unsafe=False).text
    assert "requires_grad" not in text
